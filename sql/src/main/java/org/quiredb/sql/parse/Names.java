package org.quiredb.sql.parse;

import com.alibaba.druid.sql.ast.SQLExpr;
import com.alibaba.druid.sql.ast.expr.SQLAllColumnExpr;
import com.alibaba.druid.sql.ast.expr.SQLIdentifierExpr;
import com.alibaba.druid.sql.ast.expr.SQLPropertyExpr;
import org.jspecify.annotations.Nullable;
import org.quiredb.sql.tree.TableName;

/// Names without their quotes.
final class Names {
    private Names() {}

    static String plain(@Nullable String name) {
        if (name == null) {
            return "";
        }
        return name.length() > 1 && name.charAt(0) == '`'
                ? name.substring(1, name.length() - 1).replace("``", "`")
                : name;
    }

    /// Null for anything but `table`, `schema.table` and `table.*`.
    static @Nullable TableName table(@Nullable SQLExpr expression) {
        return switch (expression) {
            case SQLIdentifierExpr name -> new TableName("", plain(name.getName()));
            case SQLPropertyExpr name when name.getOwner() instanceof SQLIdentifierExpr schema ->
                    new TableName(plain(schema.getName()), plain(name.getName()));
            case SQLAllColumnExpr all
                    when all.getOwner() instanceof SQLIdentifierExpr table -> // `table.*`
                    new TableName(plain(table.getName()), "*");
            case null -> null;
            default -> null;
        };
    }
}
