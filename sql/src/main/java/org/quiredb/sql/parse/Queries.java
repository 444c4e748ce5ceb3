package org.quiredb.sql.parse;

import com.alibaba.druid.sql.ast.SQLExpr;
import com.alibaba.druid.sql.ast.SQLHint;
import com.alibaba.druid.sql.ast.SQLLimit;
import com.alibaba.druid.sql.ast.SQLName;
import com.alibaba.druid.sql.ast.expr.SQLAllColumnExpr;
import com.alibaba.druid.sql.ast.expr.SQLPropertyExpr;
import com.alibaba.druid.sql.ast.statement.SQLExprTableSource;
import com.alibaba.druid.sql.ast.statement.SQLJoinTableSource;
import com.alibaba.druid.sql.ast.statement.SQLSelect;
import com.alibaba.druid.sql.ast.statement.SQLSelectGroupByClause;
import com.alibaba.druid.sql.ast.statement.SQLSelectItem;
import com.alibaba.druid.sql.ast.statement.SQLSelectQuery;
import com.alibaba.druid.sql.ast.statement.SQLSubqueryTableSource;
import com.alibaba.druid.sql.ast.statement.SQLTableSource;
import com.alibaba.druid.sql.ast.statement.SQLUnionOperator;
import com.alibaba.druid.sql.ast.statement.SQLUnionQuery;
import com.alibaba.druid.sql.ast.statement.SQLUnionQueryTableSource;
import com.alibaba.druid.sql.ast.statement.SQLWithSubqueryClause;
import com.alibaba.druid.sql.dialect.mysql.ast.MySqlIndexHintImpl;
import com.alibaba.druid.sql.dialect.mysql.ast.statement.MySqlSelectQueryBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.From;
import org.quiredb.sql.tree.Query;
import org.quiredb.sql.tree.TableName;

/// Queries and what stands in their FROM.
///
/// Threads: one.
final class Queries {
    private static final int MAXIMUM_RELATIONS = 100;

    /// MySQL's own bound of a join.
    private static final int MAXIMUM_TABLES = 61;

    /// H2 plans a derived table four times for each one that it stands in.
    private static final int MAXIMUM_DERIVED_DEPTH = 6;

    /// Each place that reads a query of WITH is one more derived table, and so are those in it: two
    /// joins of seven by seven take H2 ten seconds to plan, in which nothing stops it.
    private static final int MAXIMUM_COMMON = 8;

    private final Expressions expressions;
    private final Words words;
    private int joinConditions;
    private int depth;
    private int derivedDepth;
    private int commonReads;
    private @Nullable Common common;

    /// A query of WITH, which stands wherever its name does as a derived table would. It sees those
    /// before it alone.
    private static final class Common {
        final String name;
        final Query query;
        final @Nullable Common before;
        boolean read;

        Common(String name, Query query, @Nullable Common before) {
            this.name = name;
            this.query = query;
            this.before = before;
        }
    }

    Queries(Expressions expressions, Words words) {
        this.expressions = expressions;
        this.words = words;
    }

    /// The one that a statement is, which may begin with WITH.
    Query outermost(SQLSelect select) {
        SQLWithSubqueryClause with = select.getWithSubQuery();
        if (with == null) {
            return query(select);
        }
        if (Boolean.TRUE.equals(with.getRecursive())) {
            throw new LeftOut("WITH RECURSIVE");
        }
        words.name("WITH");
        for (SQLWithSubqueryClause.Entry entry : with.getEntries()) {
            common = common(entry);
        }
        Query query = body(select);
        requireUnlocked(query);
        for (Common one = common; one != null; one = one.before) {
            if (!one.read) {
                throw new LeftOut("a query of WITH that nothing reads");
            }
        }
        return query;
    }

    private Common common(SQLWithSubqueryClause.Entry entry) {
        String name = Names.plain(entry.getAlias());
        SQLSelect select = entry.getSubQuery();
        if (select == null
                || entry.getReturningStatement() != null
                || !entry.getColumns().isEmpty()
                || common(name) != null) {
            throw new LeftOut("such a WITH");
        }
        words.name(name);
        derivedDepth++;
        Query query = query(select);
        derivedDepth--;
        requireUnlocked(query);
        return new Common(name, query, common);
    }

    private @Nullable Common common(String name) {
        Common one = common;
        while (one != null && !one.name.equalsIgnoreCase(name)) {
            one = one.before;
        }
        return one;
    }

    private static void requireUnlocked(Query query) {
        if (query instanceof Query.Select select && select.locking() != Query.Locking.NONE) {
            throw new LeftOut("WITH of what locks");
        }
    }

    Query query(SQLSelect select) {
        if (select.getWithSubQuery() != null) {
            throw new LeftOut("WITH");
        }
        return body(select);
    }

    private Query body(SQLSelect select) {
        if (select.getOffset() != null || select.getRowCount() != null) {
            throw new LeftOut("FETCH");
        }
        Query inner = query(select.getQuery());
        if (select.getOrderBy() == null && select.getLimit() == null) {
            return inner;
        }
        if (!inner.order().isEmpty() || inner.limit() != null) {
            throw new LeftOut("ORDER BY or LIMIT of a query in parentheses");
        }
        List<Query.Order> order = expressions.order(select.getOrderBy());
        Query.Limit limit = limit(select.getLimit());
        return switch (inner) {
            case Query.Union(Query left, Query right, boolean all, var o, var l) ->
                    new Query.Union(left, right, all, order, limit);
            case Query.Select s ->
                    new Query.Select(
                            s.distinct(),
                            s.items(),
                            s.from(),
                            s.where(),
                            s.groups(),
                            s.having(),
                            order,
                            limit,
                            s.locking(),
                            s.waiting());
        };
    }

    private Query query(SQLSelectQuery query) {
        return switch (query) {
            case MySqlSelectQueryBlock block -> select(block);
            case SQLUnionQuery union -> union(union);
            default -> throw new LeftOut("a query of rows (VALUES, TABLE)");
        };
    }

    private Query union(SQLUnionQuery union) {
        if (union.getWith() != null) {
            throw new LeftOut("WITH");
        }
        boolean all = union.getOperator() == SQLUnionOperator.UNION_ALL;
        if (!all
                && union.getOperator() != SQLUnionOperator.UNION
                && union.getOperator() != SQLUnionOperator.DISTINCT) {
            throw new LeftOut(union.getOperator().name);
        }
        List<SQLSelectQuery> relations = union.getRelations();
        if (relations.size() > MAXIMUM_RELATIONS || ++depth > MAXIMUM_RELATIONS) {
            throw new LeftOut("a UNION of so many");
        }
        Query united = query(relations.getFirst());
        for (int i = 1; i < relations.size(); i++) {
            boolean last = i == relations.size() - 1;
            united =
                    new Query.Union(
                            united,
                            query(relations.get(i)),
                            all,
                            last ? expressions.order(union.getOrderBy()) : List.of(),
                            last ? limit(union.getLimit()) : null);
        }
        return united;
    }

    private Query.Select select(MySqlSelectQueryBlock block) {
        if (block.getWith() != null) {
            throw new LeftOut("WITH");
        }
        if (block.getInto() != null) {
            throw new LeftOut("SELECT INTO");
        }
        if (block.getWindows() != null || block.getQualify() != null) {
            throw new LeftOut("WINDOW");
        }
        if (block.getProcedureName() != null || block.isCalcFoundRows()) {
            throw new LeftOut("PROCEDURE or SQL_CALC_FOUND_ROWS");
        }
        if (block.getWaitTime() != null) {
            throw new LeftOut("WAIT");
        }
        if (block.getForUpdateOfSize() > 0) {
            throw new LeftOut("FOR UPDATE OF");
        }
        SQLSelectGroupByClause groups = block.getGroupBy();
        if (groups != null
                && (groups.isWithRollUp() || groups.isWithCube() || groups.isDistinct())) {
            throw new LeftOut("ROLLUP");
        }
        SQLExpr having = groups == null ? null : groups.getHaving();
        return new Query.Select(
                block.isDistinct(),
                block.getSelectList().stream().map(this::item).toList(),
                block.getFrom() == null ? null : from(block.getFrom()),
                expressions.orNull(block.getWhere()),
                groups == null ? List.of() : expressions.all(groups.getItems()),
                expressions.orNull(having),
                expressions.order(block.getOrderBy()),
                limit(block.getLimit()),
                locking(block),
                waiting(block));
    }

    private Query.Waiting waiting(MySqlSelectQueryBlock block) {
        if (block.isNoWait()) {
            words.name("NOWAIT");
            return Query.Waiting.NOWAIT;
        }
        if (block.isSkipLocked()) {
            words.name("SKIP");
            words.name("LOCKED");
            return Query.Waiting.SKIP_LOCKED;
        }
        return Query.Waiting.USUAL;
    }

    private Query.Locking locking(MySqlSelectQueryBlock block) {
        if (block.isForUpdate()) {
            return Query.Locking.UPDATE;
        }
        if (block.isLockInShareMode()) {
            words.name("LOCK");
            words.name("MODE");
        }
        return block.isForShare() || block.isLockInShareMode()
                ? Query.Locking.SHARE
                : Query.Locking.NONE;
    }

    private Query.Item item(SQLSelectItem item) {
        if (item.isConnectByRoot() || item.isUDTFSelectItem()) {
            throw new LeftOut("such a column");
        }
        String alias = Names.plain(item.getAlias());
        if (item.getExpr() instanceof SQLAllColumnExpr all) {
            if (notEmpty(all.getExcept()) || !alias.isEmpty()) {
                throw new LeftOut("such a *");
            }
            return all.getOwner() == null
                    ? new Query.Everything("", "")
                    : everything(all.getOwner());
        }
        if (item.getExpr() instanceof SQLPropertyExpr property
                && property.getName().equals("*")
                && alias.isEmpty()) {
            return everything(property.getOwner());
        }
        words.name(alias);
        return new Query.Shown(expressions.of(item.getExpr()), alias, "");
    }

    private static boolean notEmpty(@Nullable List<?> list) {
        return list != null && !list.isEmpty();
    }

    private Query.Item everything(SQLExpr owner) {
        TableName table = Names.table(owner);
        if (table == null) {
            throw new LeftOut("such a *");
        }
        words.name(table.database());
        words.name(table.name());
        return new Query.Everything(table.database(), table.name());
    }

    Query.@Nullable Limit limit(@Nullable SQLLimit limit) {
        if (limit == null) {
            return null;
        }
        if (limit.getBy() != null) {
            throw new LeftOut("LIMIT BY");
        }
        return new Query.Limit(
                count(limit.getRowCount()),
                limit.getOffset() == null ? null : count(limit.getOffset()));
    }

    /// MySQL's grammar has whole numbers and `?` here, and variables of routines.
    private Expression count(SQLExpr count) {
        return switch (expressions.of(count)) {
            case Expression.Parameter parameter -> parameter;
            case Expression.Constant constant
                    when constant.value() instanceof SqlValue.IntegerValue ->
                    constant;
            case Expression.Column column -> throw new LeftOut("LIMIT " + column.name());
            default -> throw LeftOut.wrong("LIMIT of no whole number");
        };
    }

    From from(SQLTableSource source) {
        From from = relation(source);
        if (tables(from) > MAXIMUM_TABLES) {
            throw new LeftOut("a join of so many tables");
        }
        return from;
    }

    private static int tables(From from) {
        return from instanceof From.Join join ? tables(join.left()) + tables(join.right()) : 1;
    }

    private From relation(SQLTableSource source) {
        boolean hinted = source.getHints() != null && !source.getHints().isEmpty();
        if (hinted && !(source instanceof SQLExprTableSource)) {
            throw new LeftOut("an index hint");
        }
        return switch (source) {
            case SQLExprTableSource table -> {
                From common = common(table);
                yield common == null ? table(table) : common;
            }
            case SQLJoinTableSource join -> join(join);
            case SQLSubqueryTableSource derived -> {
                if (!derived.getColumns().isEmpty()) {
                    throw new LeftOut("a derived table's column names");
                }
                yield derived(() -> query(derived.getSelect()), derived.getAlias());
            }
            case SQLUnionQueryTableSource union ->
                    derived(() -> query((SQLSelectQuery) union.getUnion()), union.getAlias());
            default -> throw new LeftOut("such a table");
        };
    }

    /// Null for what is no name of WITH.
    private @Nullable From common(SQLExprTableSource source) {
        TableName name = Names.table(source.getExpr());
        Common named = name == null || !name.database().isEmpty() ? null : common(name.name());
        if (name == null || named == null) {
            return null;
        }
        boolean plain =
                (source.getHints() == null || source.getHints().isEmpty())
                        && source.getPartitionSize() == 0
                        && source.getSampling() == null;
        if (!plain || ++commonReads > MAXIMUM_COMMON) {
            throw new LeftOut("such a use of WITH");
        }
        if (derivedDepth + height(named.query) + 1 > MAXIMUM_DERIVED_DEPTH) {
            throw new LeftOut("derived tables of such depth");
        }
        named.read = true;
        String alias = Names.plain(source.getAlias());
        words.name(name.name());
        words.name(alias);
        return new From.Derived(named.query, alias.isEmpty() ? name.name() : alias);
    }

    /// How deep derived tables stand in each other there.
    private static int height(Query query) {
        return switch (query) {
            case Query.Union union -> Math.max(height(union.left()), height(union.right()));
            case Query.Select select -> select.from() == null ? 0 : height(select.from());
        };
    }

    private static int height(From from) {
        return switch (from) {
            case From.Table _ -> 0;
            case From.Derived derived -> height(derived.query()) + 1;
            case From.Join join -> Math.max(height(join.left()), height(join.right()));
        };
    }

    private From derived(Supplier<Query> query, @Nullable String alias) {
        if (alias == null) {
            throw new LeftOut("a derived table without a name");
        }
        if (++derivedDepth > MAXIMUM_DERIVED_DEPTH) {
            throw new LeftOut("derived tables of such depth");
        }
        words.name(Names.plain(alias));
        Query inner = query.get();
        derivedDepth--;
        return new From.Derived(inner, Names.plain(alias));
    }

    From.Table table(SQLExprTableSource source) {
        TableName name = Names.table(source.getExpr());
        if (name == null || source.getPartitionSize() > 0 || source.getSampling() != null) {
            throw new LeftOut("such a table");
        }
        String alias = Names.plain(source.getAlias());
        words.name(name.database());
        words.name(name.name());
        words.name(alias);
        return new From.Table(name.database(), name.name(), alias, hints(source));
    }

    /// They change no row, but their indexes are looked for.
    private List<String> hints(SQLExprTableSource source) {
        List<String> indexes = new ArrayList<>();
        if (source.getHints() != null) {
            for (SQLHint hint : source.getHints()) {
                if (!(hint instanceof MySqlIndexHintImpl named)) {
                    throw new LeftOut("such a hint");
                }
                Stream.of("USE", "FORCE", "INDEX").forEach(words::name);
                for (SQLName index : named.getIndexList()) {
                    String name = Names.plain(index.getSimpleName());
                    words.name(name);
                    indexes.add(name);
                }
            }
        }
        return indexes;
    }

    private From join(SQLJoinTableSource join) {
        From.Join.Kind kind =
                switch (join.getJoinType()) {
                    case COMMA, JOIN, INNER_JOIN, CROSS_JOIN, STRAIGHT_JOIN -> From.Join.Kind.INNER;
                    case LEFT_OUTER_JOIN -> From.Join.Kind.LEFT;
                    case RIGHT_OUTER_JOIN -> From.Join.Kind.RIGHT;
                    default -> throw new LeftOut(join.getJoinType().name);
                };
        boolean conditional = join.getCondition() != null || !join.getUsing().isEmpty();
        if (join.isNatural() || (kind != From.Join.Kind.INNER && !conditional)) {
            throw new LeftOut("NATURAL JOIN, or a join whose ON stands elsewhere");
        }
        if (kind == From.Join.Kind.RIGHT && !join.getUsing().isEmpty()) {
            throw new LeftOut("RIGHT JOIN with USING"); // its `*` begins with the right table's
        }
        // The comma joins last, the parser says from left to right; here it makes a difference.
        if ((kind == From.Join.Kind.RIGHT || !join.getUsing().isEmpty())
                && afterComma(join.getLeft())) {
            throw new LeftOut("RIGHT JOIN or USING after a comma");
        }
        joinConditions += join.getCondition() == null ? 0 : 1;
        List<String> using = new ArrayList<>();
        for (SQLExpr column : join.getUsing()) {
            TableName name = Names.table(column);
            if (name == null || !name.database().isEmpty()) {
                throw new LeftOut("such a USING");
            }
            words.name(name.name());
            using.add(name.name());
        }
        Expression on = expressions.orNull(join.getCondition());
        return new From.Join(kind, relation(join.getLeft()), relation(join.getRight()), on, using);
    }

    private static boolean afterComma(SQLTableSource left) {
        SQLTableSource source = left;
        while (source instanceof SQLJoinTableSource join) {
            if (join.getJoinType() == SQLJoinTableSource.JoinType.COMMA) {
                return true;
            }
            source = join.getLeft();
        }
        return false;
    }

    /// How many joins have an ON of their own.
    int joinConditions() {
        return joinConditions;
    }
}
