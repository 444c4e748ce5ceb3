package org.quiredb.replica.kind;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.sql.tree.BinaryOperator;
import org.quiredb.sql.tree.Change;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.From;
import org.quiredb.sql.tree.Function;
import org.quiredb.sql.tree.Query;
import org.quiredb.sql.tree.TreeWalk;

/// What a tree says about its result: by which columns rows may be ordered, grouped or computed,
/// and whether expressions make texts.
///
/// Harmless for an order is a column that is only shown, and one that is compared for equality.
///
/// Threads: one.
public final class TreeFacts extends TreeWalk {
    private static final Set<Function> TEXTS =
            EnumSet.of(
                    Function.CONCAT,
                    Function.CONCAT_WS,
                    Function.SUBSTRING,
                    Function.LEFT,
                    Function.RIGHT,
                    Function.LOWER,
                    Function.UPPER,
                    Function.TRIM,
                    Function.LTRIM,
                    Function.RTRIM,
                    Function.REPLACE,
                    Function.LPAD,
                    Function.RPAD,
                    Function.REPEAT,
                    Function.REVERSE,
                    Function.SUBSTRING_INDEX,
                    Function.ELT,
                    Function.SPACE);

    private static final Set<Function> OF_TEXTS =
            EnumSet.of(
                    Function.LENGTH,
                    Function.CHAR_LENGTH,
                    Function.ASCII,
                    Function.MD5,
                    Function.SHA1,
                    Function.SHA2,
                    Function.CRC32,
                    Function.INSTR,
                    Function.LOCATE,
                    Function.FIND_IN_SET,
                    Function.REGEXP_INSTR,
                    Function.UNHEX,
                    Function.INET_ATON,
                    Function.AS_CHAR);

    private final Set<String> ordered = new HashSet<>();
    private boolean makesText;
    private boolean locksAll;
    private Query.Waiting waiting = Query.Waiting.USUAL;
    private boolean shownCounts;

    private TreeFacts() {}

    public static TreeFacts of(Query query) {
        TreeFacts facts = new TreeFacts();
        facts.shownCounts = shownCounts(query);
        facts.query(query);
        return facts;
    }

    public static TreeFacts of(Change change) {
        TreeFacts facts = new TreeFacts();
        facts.shownCounts =
                change instanceof Change.Insert insert
                        && insert.query() != null
                        && shownCounts(insert.query());
        facts.change(change);
        return facts;
    }

    /// Columns by which rows may be ordered, in lower case.
    public Set<String> ordered() {
        return Set.copyOf(ordered);
    }

    /// The result of an expression other than an aggregate may be a text.
    public boolean makesText() {
        return makesText;
    }

    /// FOR UPDATE.
    public boolean locksAll() {
        return locksAll;
    }

    public Query.Waiting waiting() {
        return waiting;
    }

    /// Whether another value each time.
    public static boolean byChance(Expression expression) {
        boolean[] found = new boolean[1];
        new TreeWalk() {
            @Override
            public void expression(Expression part) {
                found[0] |= part instanceof Expression.Call call && call.function().byChance();
                super.expression(part);
            }
        }.expression(expression);
        return found[0];
    }

    /// Whether it shows one row for many without GROUP BY.
    static boolean aggregates(Query.Select select) {
        boolean[] found = new boolean[1];
        new TreeWalk() {
            @Override
            public void expression(Expression part) {
                found[0] |=
                        part instanceof Expression.Aggregate || part instanceof Expression.Joined;
                super.expression(part);
            }

            @Override
            public void query(Query query) {} // has aggregates of its own

            @Override
            protected void from(From from) {}

            void of(Query.Select whole) {
                select(whole);
            }
        }.of(select);
        return found[0];
    }

    /// Whether a server that reads it as a derived table has its tables in its place, and describes
    /// their columns as they are.
    static boolean merges(Query query) {
        return query instanceof Query.Select select
                && !select.distinct()
                && select.groups().isEmpty()
                && select.having() == null
                && select.limit() == null
                && !aggregates(select);
    }

    /// Whether its value is bound, and so not known before.
    static boolean hasParameter(Expression expression) {
        boolean[] found = new boolean[1];
        new TreeWalk() {
            @Override
            public void expression(Expression part) {
                found[0] |= part instanceof Expression.Parameter;
                super.expression(part);
            }
        }.expression(expression);
        return found[0];
    }

    /// Whether a quotient is in it.
    public static boolean divides(Expression expression) {
        boolean[] found = new boolean[1];
        new TreeWalk() {
            @Override
            public void expression(Expression part) {
                found[0] |=
                        part instanceof Expression.Binary binary
                                && binary.operator() == BinaryOperator.DIVIDE;
                found[0] |=
                        part instanceof Expression.Aggregate aggregate
                                && aggregate.function() == Function.AVG;
                super.expression(part);
            }
        }.expression(expression);
        return found[0];
    }

    /// Whether the same rows give another result at another moment.
    public static boolean ofItsMoment(Query query) {
        boolean[] found = new boolean[1];
        new TreeWalk() {
            @Override
            public void expression(Expression part) {
                found[0] |=
                        part instanceof Expression.Call call
                                && (call.function().ofItsMoment() || call.function().byChance());
                super.expression(part);
            }
        }.query(query);
        return found[0];
    }

    /// Whether a server may keep its rows in a temporary table before it shows them.
    public static boolean keeps(Query query) {
        return switch (query) {
            case Query.Union union -> true;
            case Query.Select select ->
                    select.distinct()
                            || !select.groups().isEmpty()
                            || (!select.order().isEmpty()
                                    && !(select.from() instanceof From.Table));
        };
    }

    /// Whether a server has to: no key is in an order of expressions.
    static boolean stores(Query.Select select) {
        if (joins(select)) { // it sorts the rows to group them
            return select.distinct() || !ordersAsGroups(select);
        }
        boolean computed =
                select.items().stream()
                        .anyMatch(item ->
                                item instanceof Query.Shown(Expression shown, String a, String h)
                                        && !(shown instanceof Expression.Column));
        boolean grouped =
                select.groups().stream()
                        .anyMatch(group ->
                                !(group
                                                instanceof
                                                Expression.Column(String s, String t, String name))
                                        || names(select, name));
        return grouped || (select.distinct() && computed && select.groups().isEmpty());
    }

    private static boolean joins(Query.Select select) {
        return select.items().stream()
                .anyMatch(item ->
                        item instanceof Query.Shown shown
                                && shown.expression() instanceof Expression.Joined);
    }

    private static boolean ordersAsGroups(Query.Select select) {
        List<Query.Order> order = select.order();
        boolean alike = select.groups().isEmpty() || order.size() <= select.groups().size();
        for (int i = 0; alike && !select.groups().isEmpty() && i < order.size(); i++) {
            Expression by = meant(select, order.get(i).expression());
            alike = by.equals(meant(select, select.groups().get(i))) || isNull(by);
        }
        return alike;
    }

    private static boolean isNull(Expression by) {
        return by instanceof Expression.Word word && word.keyword() == Expression.Word.Keyword.NULL;
    }

    /// What is shown under the name.
    private static Expression meant(Query.Select select, Expression name) {
        for (Query.Item item : select.items()) {
            if (item instanceof Query.Shown(Expression shown, String alias, String h)
                    && name instanceof Expression.Column(String s, String table, String called)
                    && table.isEmpty()
                    && alias.equalsIgnoreCase(called)) {
                return shown;
            }
        }
        return name;
    }

    /// Whether an expression that is shown has this name.
    private static boolean names(Query.Select select, String name) {
        return select.items().stream()
                .anyMatch(item ->
                        item instanceof Query.Shown(Expression shown, String alias, String h)
                                && !(shown instanceof Expression.Column)
                                && alias.equalsIgnoreCase(name));
    }

    /// Whether it is called in it.
    public static boolean calls(Query query, Function function) {
        boolean[] found = new boolean[1];
        new TreeWalk() {
            @Override
            public void expression(Expression part) {
                found[0] |= part instanceof Expression.Call call && call.function() == function;
                super.expression(part);
            }
        }.query(query);
        return found[0];
    }

    /// Whether one is added up in it: where a server does that in a temporary table, it rounds.
    public static boolean sumsQuotients(Query query) {
        boolean[] found = new boolean[1];
        new TreeWalk() {
            @Override
            public void expression(Expression part) {
                found[0] |=
                        part instanceof Expression.Aggregate aggregate
                                && aggregate.arguments().stream().anyMatch(TreeFacts::divides);
                super.expression(part);
            }
        }.query(query);
        return found[0];
    }

    /// Whether what it makes of texts compares as they do.
    public static boolean makesFoldedText(Function function) {
        return TEXTS.contains(function);
    }

    /// Whether its arguments are taken as they are written.
    public static boolean takesText(Function function) {
        return TEXTS.contains(function) || OF_TEXTS.contains(function);
    }

    /// Rows are told apart by all they show, or ordered by a column's number, somewhere in it.
    private static boolean shownCounts(Query query) {
        boolean[] found = new boolean[1];
        new TreeWalk() {
            @Override
            public void query(Query part) {
                found[0] |=
                        switch (part) {
                            case Query.Union union -> true;
                            case Query.Select select ->
                                    select.distinct()
                                            || select.groups().stream().anyMatch(TreeFacts::number);
                        };
                found[0] |= part.order().stream().anyMatch(o -> number(o.expression()));
                super.query(part);
            }
        }.query(query);
        return found[0];
    }

    private static boolean number(Expression expression) {
        return expression instanceof Expression.Constant constant
                && constant.value() instanceof SqlValue.IntegerValue;
    }

    @Override
    public void query(Query query) {
        makesText |= query instanceof Query.Union;
        super.query(query);
    }

    @Override
    protected void select(Query.Select select) {
        locksAll |= select.locking() == Query.Locking.UPDATE;
        waiting = select.waiting() == Query.Waiting.USUAL ? waiting : select.waiting();
        if (shownCounts && select.items().stream().anyMatch(i -> i instanceof Query.Everything)) {
            ordered.add(TableLayout.ALL_COLUMNS);
        }
        super.select(select);
    }

    @Override
    protected void shown(Query.Shown shown) {
        if (shownCounts || !(shown.expression() instanceof Expression.Column)) {
            super.shown(shown);
        }
    }

    @Override
    protected void assignment(Change.Assignment assignment) {
        equal(assignment.value());
    }

    @Override
    public void expression(Expression expression) {
        switch (expression) {
            case Expression.Column column -> ordered.add(column.name().toLowerCase(Locale.ROOT));
            case Expression.Call call -> {
                makesText |= call.function() != Function.ABS;
                super.expression(call);
            }
            case Expression.Case choice -> {
                makesText = true;
                super.expression(choice);
            }
            case Expression.Binary(BinaryOperator operator, Expression left, Expression right)
                    when operator.equality() -> {
                equal(left);
                equal(right);
            }
            case Expression.In in -> {
                equal(in.operand());
                in.list().forEach(this::equal);
            }
            case Expression.InQuery in -> {
                equal(in.operand());
                query(in.query());
            }
            case Expression.Is is -> equal(is.operand());
            case Expression.Like like -> {
                equal(like.operand());
                expression(like.pattern());
            }
            default -> super.expression(expression);
        }
    }

    private void equal(Expression operand) {
        if (!(operand instanceof Expression.Column)) {
            expression(operand);
        }
    }
}
