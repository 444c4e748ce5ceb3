package org.quiredb.sql.parse;

import com.alibaba.druid.sql.ast.SQLStatement;
import com.alibaba.druid.sql.ast.expr.SQLPropertyExpr;
import com.alibaba.druid.sql.ast.statement.SQLDeleteStatement;
import com.alibaba.druid.sql.ast.statement.SQLExprTableSource;
import com.alibaba.druid.sql.ast.statement.SQLInsertInto;
import com.alibaba.druid.sql.ast.statement.SQLJoinTableSource;
import com.alibaba.druid.sql.ast.statement.SQLReplaceStatement;
import com.alibaba.druid.sql.ast.statement.SQLSelect;
import com.alibaba.druid.sql.ast.statement.SQLTableSource;
import com.alibaba.druid.sql.ast.statement.SQLUpdateSetItem;
import com.alibaba.druid.sql.ast.statement.SQLUpdateStatement;
import com.alibaba.druid.sql.ast.statement.SQLWithSubqueryClause;
import com.alibaba.druid.sql.dialect.mysql.ast.statement.MySqlSelectQueryBlock;
import com.alibaba.druid.sql.dialect.mysql.visitor.MySqlASTVisitorAdapter;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.sql.tree.TableName;

/// The tables that a statement names, wherever they stand in it, also where no tree is made of it.
final class NamedTables extends MySqlASTVisitorAdapter {
    private static final Set<String> SYSTEM =
            Set.of("information_schema", "mysql", "performance_schema", "sys");

    private final Set<TableName> all = new LinkedHashSet<>();
    private final Map<String, TableName> called = new HashMap<>();

    /// Names of WITH, by the query that they are visible in.
    private final Deque<Set<String>> common = new ArrayDeque<>(List.of(new HashSet<>()));

    private final Set<TableName> changed = new LinkedHashSet<>();
    private final Set<SQLTableSource> targets =
            Collections.newSetFromMap(new IdentityHashMap<>()); // one node, not one like it
    private boolean systemTables;
    private boolean ambiguous;
    private boolean locking;
    private boolean emptyList;

    private NamedTables() {}

    static NamedTables of(SQLStatement statement) {
        NamedTables named = new NamedTables();
        if (statement instanceof SQLDeleteStatement delete && joined(delete)) {
            named.targets(delete.getTableSource());
        }
        statement.accept(named);
        named.changedBy(statement);
        return named;
    }

    private static boolean joined(SQLDeleteStatement delete) {
        return delete.getFrom() != null || delete.getUsing() != null;
    }

    private void targets(@Nullable SQLTableSource source) {
        switch (source) {
            case SQLJoinTableSource join -> {
                targets(join.getLeft());
                targets(join.getRight());
            }
            case SQLExprTableSource table -> targets.add(table);
            case null -> {}
            default -> {}
        }
    }

    private void changedBy(SQLStatement statement) {
        switch (statement) {
            case SQLInsertInto insert -> changes(insert.getTableSource());
            case SQLReplaceStatement replace -> changes(replace.getTableSource());
            case SQLDeleteStatement delete -> {
                if (joined(delete)) {
                    targets.forEach(target -> called(target));
                } else {
                    changes(delete.getTableSource());
                }
            }
            case SQLUpdateStatement update -> {
                for (SQLUpdateSetItem item : update.getItems()) {
                    TableName owner =
                            item.getColumn() instanceof SQLPropertyExpr column
                                    ? Names.table(column.getOwner())
                                    : null;
                    if (owner != null) {
                        changed.add(meant(owner));
                    } else {
                        changes(update.getTableSource());
                    }
                }
            }
            default -> {}
        }
        if (ambiguous) {
            changed.addAll(all);
        }
    }

    /// Whether a name in any letters means one table alone is for the server to know, and a name
    /// with its database may not be an alias.
    private TableName meant(TableName owner) {
        TableName found = called.get(lower(owner.name()));
        ambiguous |=
                !owner.database().isEmpty()
                        && found != null
                        && !lower(found.name()).equals(lower(owner.name()));
        return found == null || !owner.database().isEmpty() ? owner : found;
    }

    /// Every table of it: which of a join's tables an unqualified column belongs to is not known
    /// here.
    private void changes(@Nullable SQLTableSource source) {
        switch (source) {
            case SQLJoinTableSource join -> {
                changes(join.getLeft());
                changes(join.getRight());
            }
            case SQLExprTableSource table -> {
                TableName name = Names.table(table.getExpr());
                if (name != null) {
                    changed.add(name);
                }
            }
            case null -> {}
            default -> {}
        }
    }

    private void called(SQLTableSource target) {
        if (target instanceof SQLExprTableSource table) {
            TableName name = Names.table(table.getExpr());
            boolean all = name != null && name.name().equals("*"); // `table.*`
            String alias = name == null ? "" : all ? name.database() : name.name();
            changed.add(meant(new TableName("", alias)));
        }
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    Set<TableName> reads() {
        return all;
    }

    Set<TableName> changes() {
        return changed;
    }

    boolean systemTables() {
        return systemTables;
    }

    boolean changesSystemTables() {
        return changed.stream().anyMatch(table -> SYSTEM.contains(lower(table.database())));
    }

    boolean locking() {
        return locking;
    }

    /// A SELECT without columns, which no server takes: the next word was taken for a keyword.
    boolean emptyList() {
        return emptyList;
    }

    @Override
    public boolean visit(SQLExprTableSource source) {
        TableName name = Names.table(source.getExpr());
        if (targets.contains(source) || name == null || isCommon(name)) {
            return true;
        }
        if (SYSTEM.contains(lower(name.database()))) {
            systemTables = true;
        } else if (!(name.database().isEmpty() && name.name().equalsIgnoreCase("dual"))) {
            all.add(name);
            String alias = Names.plain(source.getAlias());
            TableName other = called.put(lower(alias.isEmpty() ? name.name() : alias), name);
            ambiguous |= other != null && !other.equals(name);
        }
        return true;
    }

    private boolean isCommon(TableName name) {
        return name.database().isEmpty()
                && common.stream().anyMatch(names -> names.contains(lower(name.name())));
    }

    @Override
    public boolean visit(SQLSelect select) {
        common.push(new HashSet<>());
        return true;
    }

    @Override
    public void endVisit(SQLSelect select) {
        common.pop();
    }

    @Override
    public boolean visit(SQLWithSubqueryClause.Entry entry) {
        if (entry.getParent() instanceof SQLWithSubqueryClause clause
                && Boolean.TRUE.equals(clause.getRecursive())) {
            common.getFirst().add(lower(Names.plain(entry.getAlias())));
        }
        return true;
    }

    /// Only from here on: in its own query the name is a table's, unless it is RECURSIVE.
    @Override
    public void endVisit(SQLWithSubqueryClause.Entry entry) {
        common.getFirst().add(lower(Names.plain(entry.getAlias())));
    }

    @Override
    public boolean visit(MySqlSelectQueryBlock select) {
        emptyList |= select.getSelectList().isEmpty();
        locking |= select.isForUpdate() || select.isForShare() || select.isLockInShareMode();
        return true;
    }
}
