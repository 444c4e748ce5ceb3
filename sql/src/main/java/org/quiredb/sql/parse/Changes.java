package org.quiredb.sql.parse;

import com.alibaba.druid.sql.ast.SQLExpr;
import com.alibaba.druid.sql.ast.SQLLimit;
import com.alibaba.druid.sql.ast.expr.SQLBinaryOpExpr;
import com.alibaba.druid.sql.ast.expr.SQLBinaryOperator;
import com.alibaba.druid.sql.ast.statement.SQLAssignItem;
import com.alibaba.druid.sql.ast.statement.SQLDeleteStatement;
import com.alibaba.druid.sql.ast.statement.SQLExprTableSource;
import com.alibaba.druid.sql.ast.statement.SQLInsertInto;
import com.alibaba.druid.sql.ast.statement.SQLInsertStatement;
import com.alibaba.druid.sql.ast.statement.SQLJoinTableSource;
import com.alibaba.druid.sql.ast.statement.SQLReplaceStatement;
import com.alibaba.druid.sql.ast.statement.SQLSelect;
import com.alibaba.druid.sql.ast.statement.SQLTableSource;
import com.alibaba.druid.sql.ast.statement.SQLUpdateSetItem;
import com.alibaba.druid.sql.ast.statement.SQLUpdateStatement;
import com.alibaba.druid.sql.dialect.mysql.ast.statement.MySqlDeleteStatement;
import com.alibaba.druid.sql.dialect.mysql.ast.statement.MySqlInsertStatement;
import com.alibaba.druid.sql.dialect.mysql.ast.statement.MySqlUpdateStatement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.sql.tree.Change;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.From;
import org.quiredb.sql.tree.Query;
import org.quiredb.sql.tree.TableName;

/// INSERT, REPLACE, UPDATE and DELETE.
///
/// Threads: one.
final class Changes {
    private final Expressions expressions;
    private final Queries queries;

    Changes(Expressions expressions, Queries queries) {
        this.expressions = expressions;
        this.queries = queries;
    }

    Change insert(SQLInsertInto insert, List<Query.Item> returned) {
        if (!(insert instanceof MySqlInsertStatement statement)) {
            throw new LeftOut("such an INSERT");
        }
        if (statement.getWith() != null || statement.getPartitions() != null) {
            throw new LeftOut("WITH or PARTITION");
        }
        List<Change.Assignment> duplicates = new ArrayList<>();
        for (SQLExpr assigned : statement.getDuplicateKeyUpdate()) {
            duplicates.add(assignment(assigned));
        }
        return inserted(
                false,
                statement.isIgnore(),
                statement.getTableSource(),
                statement.getColumns(),
                statement.getValuesList(),
                statement.getQuery(),
                duplicates,
                returned);
    }

    Change replace(SQLReplaceStatement replace, List<Query.Item> returned) {
        if (replace.getPartitions() != null && !replace.getPartitions().isEmpty()) {
            throw new LeftOut("PARTITION");
        }
        return inserted(
                true,
                false,
                replace.getTableSource(),
                replace.getColumns(),
                replace.getValuesList(),
                replace.getQuery() == null ? null : replace.getQuery().getSubQuery(),
                List.of(),
                returned);
    }

    private Change inserted(
            boolean replaces,
            boolean ignore,
            SQLExprTableSource table,
            List<SQLExpr> columns,
            List<SQLInsertStatement.ValuesClause> values,
            @Nullable SQLSelect query,
            List<Change.Assignment> duplicates,
            List<Query.Item> returned) {
        List<Expression.Column> names = new ArrayList<>();
        for (SQLExpr column : columns) {
            if (!(expressions.of(column) instanceof Expression.Column name)) {
                throw new LeftOut("such a column");
            }
            names.add(name);
        }
        List<List<Expression>> rows = new ArrayList<>();
        for (SQLInsertStatement.ValuesClause row : values) {
            rows.add(expressions.all(row.getValues()));
        }
        return new Change.Insert(
                replaces,
                ignore,
                queries.table(table),
                names,
                rows,
                query == null ? null : queries.query(query),
                duplicates,
                returned);
    }

    private Change.Assignment assignment(SQLExpr assigned) {
        return switch (assigned) {
            case SQLBinaryOpExpr equality
                    when equality.getOperator() == SQLBinaryOperator.Equality ->
                    assignment(equality.getLeft(), equality.getRight());
            case SQLAssignItem item -> assignment(item.getTarget(), item.getValue());
            default -> throw new LeftOut("such an assignment");
        };
    }

    private Change.Assignment assignment(SQLExpr target, SQLExpr value) {
        if (expressions.of(target) instanceof Expression.Column column) {
            return new Change.Assignment(column, expressions.of(value));
        }
        throw new LeftOut("such an assignment");
    }

    Change update(SQLUpdateStatement update) {
        if (!(update instanceof MySqlUpdateStatement statement)
                || statement.getWith() != null
                || statement.getFrom() != null
                || notEmpty(statement.getPartitions())
                || notEmpty(statement.getReturning())
                || statement.isCommitOnSuccess()
                || statement.isRollBackOnFail()
                || statement.getTargetAffectRow() != null) {
            throw new LeftOut("such an UPDATE");
        }
        List<Change.Assignment> assignments = new ArrayList<>();
        for (SQLUpdateSetItem item : statement.getItems()) {
            assignments.add(assignment(item.getColumn(), item.getValue()));
        }
        return new Change.Update(
                statement.isIgnore(),
                queries.from(statement.getTableSource()),
                assignments,
                expressions.orNull(statement.getWhere()),
                expressions.order(statement.getOrderBy()),
                limit(statement.getLimit()));
    }

    private Query.@Nullable Limit limit(@Nullable SQLLimit limit) {
        if (limit != null && limit.getOffset() != null) {
            throw LeftOut.wrong("LIMIT with an offset");
        }
        return queries.limit(limit);
    }

    private static boolean notEmpty(@Nullable List<?> list) {
        return list != null && !list.isEmpty();
    }

    Change delete(SQLDeleteStatement delete, List<Query.Item> returned) {
        if (!(delete instanceof MySqlDeleteStatement statement)
                || statement.getWith() != null
                || statement.isOnly()) {
            throw new LeftOut("such a DELETE");
        }
        SQLTableSource joined =
                statement.getFrom() == null ? statement.getUsing() : statement.getFrom();
        List<TableName> targets = new ArrayList<>();
        if (joined != null) {
            targets(statement.getTableSource(), targets);
            if (!returned.isEmpty()) {
                throw LeftOut.wrong("RETURNING of several tables");
            }
        }
        return new Change.Delete(
                statement.isIgnore(),
                targets,
                queries.from(joined == null ? statement.getTableSource() : joined),
                expressions.orNull(statement.getWhere()),
                expressions.order(statement.getOrderBy()),
                limit(statement.getLimit()),
                returned);
    }

    private void targets(SQLTableSource source, List<TableName> targets) {
        switch (source) {
            case SQLJoinTableSource join -> {
                targets(join.getLeft(), targets);
                targets(join.getRight(), targets);
            }
            case SQLExprTableSource table -> {
                From.Table target = queries.table(table);
                boolean all = target.name().equals("*"); // `table.*`
                targets.add(
                        all
                                ? new TableName("", target.schema())
                                : new TableName(target.schema(), target.name()));
            }
            default -> throw new LeftOut("such a DELETE");
        }
    }
}
