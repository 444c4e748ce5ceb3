package org.quiredb.replica.kind;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.describe.Described;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.sql.tree.BinaryOperator;
import org.quiredb.sql.tree.Change;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.From;
import org.quiredb.sql.tree.Function;
import org.quiredb.sql.tree.Query;

/// The kind of every expression of a statement; refuses the ones whose parts H2 and MySQL combine
/// otherwise.
///
/// Done once for each binding of a statement: what depends on a bound value is left in `forms`. A
/// name that nothing has is of unknown kind, for H2 to report.
///
/// Longer than most: one case for each kind of node, and they call each other. Threads: one.
public final class Kinds {
    private static final Set<Function> CHOOSING =
            EnumSet.of(
                    Function.IF,
                    Function.COALESCE,
                    Function.IFNULL,
                    Function.NULLIF,
                    Function.GREATEST,
                    Function.LEAST);

    /// Their results are of a text's bytes.
    private static final Set<Function> BYTES_COUNT =
            EnumSet.of(
                    Function.LENGTH,
                    Function.ASCII,
                    Function.HEX,
                    Function.MD5,
                    Function.SHA1,
                    Function.SHA2,
                    Function.CRC32);

    private final Scope scope;
    private final ParameterTypes operands;
    private final KindRules rules = new KindRules();
    private final IdentityHashMap<Expression, Typed> types = new IdentityHashMap<>();
    private final IdentityHashMap<Expression, Described> scalars = new IdentityHashMap<>();
    private Sources.@Nullable Source target;
    private Sources sources = new Sources(null);

    public Kinds(Scope scope, ParameterTypes operands) {
        this.scope = scope;
        this.operands = operands;
    }

    /// What bound values have to look like.
    public List<BoundForm> forms() {
        return rules.forms();
    }

    /// Whether H2 is to make a UUID of it.
    public boolean madeUuid(Expression expression) {
        return rules.madeUuid(expression);
    }

    /// Unknown for what was not part of the statement.
    public Kind of(Expression expression) {
        return typed(expression).kind();
    }

    public Typed typed(Expression expression) {
        return types.getOrDefault(expression, Typed.UNKNOWN);
    }

    /// Whether MySQL compares them as numbers that float, and H2 would not.
    public boolean floating(List<Expression> compared) {
        return compared.stream().anyMatch(one -> of(one).floating())
                && !compared.stream().allMatch(one -> of(one) == Kind.FLOAT);
    }

    /// Of a table's definition.
    public void expression(TableDefinition table, Expression expression) {
        sources.add(Sources.Source.of(table));
        of(expression, sources);
    }

    /// Of a CHECK.
    public void condition(TableDefinition table, Expression condition) {
        sources.add(Sources.Source.of(table));
        truth(condition);
    }

    public void change(Change change) {
        switch (change) {
            case Change.Insert insert -> insert(insert);
            case Change.Update update -> {
                from(update.from());
                assigned(update.assignments());
                rest(update.where(), update.order());
            }
            case Change.Delete delete -> {
                from(delete.from());
                rest(delete.where(), delete.order());
            }
        }
    }

    private void insert(Change.Insert insert) {
        from(insert.table());
        target = sources.all().stream().findFirst().orElse(null);
        List<Kind> columns = columns(insert);
        for (List<Expression> row : insert.rows()) {
            for (int i = 0; i < row.size(); i++) {
                Expression value = row.get(i);
                if (!(value instanceof Expression.Parameter)) { // most are, and nothing is beside
                    chosen(at(columns, i), value);
                    assigned(at(columns, i), of(value, sources));
                }
            }
        }
        if (insert.query() != null) {
            List<Sources.Shown> shown = query(insert.query(), null);
            for (int i = 0; i < shown.size(); i++) {
                assigned(at(columns, i), shown.get(i).type());
            }
            if (insert.query() instanceof Query.Select select && select.from() != null) {
                from(select.from());
            }
        }
        assigned(insert.duplicates());
    }

    /// Of the columns that an INSERT gives values to.
    private List<Kind> columns(Change.Insert insert) {
        if (target == null) {
            return List.of();
        }
        return insert.columns().isEmpty()
                ? target.columns().stream()
                        .filter(one -> !one.invisible())
                        .map(one -> one.type().kind())
                        .toList()
                : insert.columns().stream().map(one -> of(one, sources).kind()).toList();
    }

    private static Kind at(List<Kind> columns, int place) {
        return place < columns.size() ? columns.get(place) : Kind.UNKNOWN;
    }

    private void assigned(List<Change.Assignment> assignments) {
        for (Change.Assignment one : assignments) {
            Kind column = of(one.column(), sources).kind();
            chosen(column, one.value());
            assigned(column, of(one.value(), sources));
        }
    }

    /// Of numbers that stand among what is chosen from memory makes texts, which bits and members
    /// are not told by.
    private void chosen(Kind column, Expression value) {
        boolean chooses =
                value instanceof Expression.Case
                        || (value instanceof Expression.Call call
                                && CHOOSING.contains(call.function()));
        boolean told = column == Kind.BITS || column == Kind.MEMBER;
        if (chooses && told && !of(value, sources).kind().text()) {
            throw KindRules.unlike("an assignment", column);
        }
    }

    private static void assigned(Kind column, Typed value) {
        if (!KindRules.storedAlike(column, value)) {
            throw KindRules.unlike("an assignment", value.kind());
        }
    }

    private void rest(@Nullable Expression where, List<Query.Order> order) {
        condition(where);
        order(order, List.of());
    }

    private void order(List<Query.Order> order, List<Sources.Shown> shown) {
        for (Query.Order one : order) {
            KindRules.refuseClosed("ORDER BY", of(one.expression(), sources));
            if (one.expression() instanceof Expression.Constant) { // a place
                KindRules.refuseClosed("ORDER BY", typesOf(shown));
            }
        }
    }

    private static Typed[] typesOf(List<Sources.Shown> shown) {
        return shown.stream().map(Sources.Shown::type).toArray(Typed[]::new);
    }

    /// The outermost query.
    public List<ShownColumn> shown(Query query) {
        List<Query.Item> items = items(query);
        List<Sources.Shown> columns = query(query, null);
        boolean listed =
                items.size() == columns.size()
                        && items.stream().allMatch(Query.Shown.class::isInstance);
        boolean stored = query instanceof Query.Select select && TreeFacts.stores(select);
        List<ShownColumn> shown = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Typed type = columns.get(i).type();
            boolean united = query instanceof Query.Union;
            boolean computed =
                    united
                            || type.column() == null
                            || (listed
                                    && !(((Query.Shown) items.get(i)).expression()
                                            instanceof Expression.Column));
            if (type.kind() == Kind.GEOMETRY && (computed || !type.derived().isEmpty())) {
                throw KindRules.unlike("what a query makes", type.kind());
            }
            if (type.kind() == Kind.BITS && (united || !type.derived().isEmpty())) {
                throw KindRules.unlike("what another query shows", type.kind());
            }
            boolean strict =
                    !united
                            && listed
                            && computed
                            && type.derived().isEmpty()
                            && type.kind() != Kind.UUID
                            && type.kind() != Kind.JSON
                            && !(((Query.Shown) items.get(i)).expression()
                                    instanceof Expression.Joined)
                            && !TreeFacts.hasParameter(((Query.Shown) items.get(i)).expression());
            Described described = type.described();
            boolean named =
                    listed
                            && ((Query.Shown) items.get(i)).expression()
                                    instanceof Expression.Column;
            shown.add(
                    new ShownColumn(
                            computed,
                            described != null && stored ? described.stored() : described,
                            strict,
                            type.derived(),
                            !type.merged()
                                    ? null
                                    : named
                                            ? ((Expression.Column)
                                                            ((Query.Shown) items.get(i))
                                                                    .expression())
                                                    .name()
                                            : "",
                            computed || type.derived().isEmpty() ? null : type.origin()));
        }
        return shown;
    }

    private static List<Query.Item> items(Query query) {
        return switch (query) {
            case Query.Union union -> items(union.left());
            case Query.Select select -> select.items();
        };
    }

    List<Sources.Shown> query(Query query, @Nullable Sources around) {
        Sources before = sources;
        sources = new Sources(around);
        try {
            List<Sources.Shown> shown =
                    switch (query) {
                        case Query.Select select -> select(select);
                        case Query.Union union -> union(union, around);
                    };
            sources.labels(shown);
            order(query.order(), shown);
            return shown;
        } finally {
            sources = before;
        }
    }

    private List<Sources.Shown> select(Query.Select select) {
        if (select.from() != null) {
            from(select.from());
        }
        condition(select.where());
        List<Sources.Shown> shown = new ArrayList<>();
        for (Query.Item item : select.items()) {
            switch (item) {
                case Query.Everything all -> shown.addAll(sources.everything(all.table()));
                case Query.Shown(Expression expression, String alias, String heading) ->
                        shown.add(
                                new Sources.Shown(
                                        name(expression, alias, heading), of(expression, sources)));
            }
        }
        if (select.distinct()) {
            KindRules.refuseClosed("DISTINCT", typesOf(shown));
        }
        for (Expression group : select.groups()) {
            KindRules.refuseClosed("GROUP BY", of(group, sources));
            if (group instanceof Expression.Constant) { // a place
                KindRules.refuseClosed("GROUP BY", typesOf(shown));
            }
        }
        if (select.having() != null) {
            sources.labels(shown);
            condition(select.having());
        }
        return shown;
    }

    private static String name(Expression expression, String alias, String heading) {
        return !alias.isEmpty()
                ? alias
                : expression instanceof Expression.Column column ? column.name() : heading;
    }

    private List<Sources.Shown> union(Query.Union union, @Nullable Sources around) {
        List<Sources.Shown> left = query(union.left(), around);
        List<Sources.Shown> right = query(union.right(), around);
        List<Sources.Shown> both = new ArrayList<>();
        for (int i = 0; i < left.size(); i++) {
            Typed a = left.get(i).type();
            Typed b = i < right.size() ? right.get(i).type() : Typed.UNKNOWN;
            Kind kind = Kind.either(a.kind(), b.kind());
            boolean floats = kind == Kind.DOUBLE && (unlike(a, kind) || unlike(b, kind));
            if (kind == null || floats) {
                throw KindRules.unlike("a UNION", a.kind(), b.kind());
            }
            both.add(
                    new Sources.Shown(
                            left.get(i).name(),
                            new Typed(
                                    kind,
                                    null,
                                    null,
                                    false,
                                    Describing.either(a, b),
                                    "",
                                    false,
                                    null)));
        }
        return both;
    }

    private static boolean unlike(Typed type, Kind kind) {
        return type.kind() != kind && !type.kind().open();
    }

    private void from(From from) {
        switch (from) {
            case From.Table table -> {
                TableLayout layout = scope.find(table);
                if (layout != null) {
                    sources.add(Sources.Source.of(table.called(), layout));
                }
            }
            case From.Derived(Query query, String alias) -> {
                List<Sources.Shown> columns =
                        query(query, null).stream()
                                .map(one ->
                                        new Sources.Shown(
                                                one.name(),
                                                one.type().in(alias, TreeFacts.merges(query))))
                                .toList();
                sources.add(new Sources.Source(alias.toLowerCase(java.util.Locale.ROOT), columns));
            }
            case From.Join join -> {
                int before = sources.all().size();
                from(join.left());
                int left = sources.all().size();
                from(join.right());
                List<Sources.Source> all = sources.all();
                for (String column : join.using()) {
                    used(all.subList(before, left), all.subList(left, all.size()), column);
                }
                switch (join.kind()) {
                    case INNER -> {}
                    case LEFT -> sources.perhaps(left, sources.all().size());
                    case RIGHT -> sources.perhaps(before, left);
                }
                condition(join.on());
            }
        }
    }

    private void used(List<Sources.Source> left, List<Sources.Source> right, String column) {
        Typed a = first(left, column);
        Typed b = first(right, column);
        Expression name = new Expression.Column("", "", column);
        rules.comparable(name, a, name, b);
        requireAlike(a, b);
    }

    private static Typed first(List<Sources.Source> sources, String column) {
        return sources.stream()
                .map(source -> source.find(column))
                .filter(java.util.Objects::nonNull)
                .findFirst()
                .orElse(Typed.UNKNOWN);
    }

    private void condition(@Nullable Expression condition) {
        if (condition != null) {
            truth(condition);
        }
    }

    private void truth(Expression condition) {
        KindRules.truth(of(condition, sources));
    }

    private Typed of(Expression expression, Sources from) {
        Typed type =
                expression instanceof Expression.Column column
                        ? from.find(column)
                        : computed(expression);
        types.put(expression, type);
        return type;
    }

    private Typed computed(Expression expression) {
        Kind kind = kind(expression);
        BoundForm.Form characters = characters(expression);
        if (expression instanceof Expression.Call call
                && BYTES_COUNT.contains(call.function())
                && call.arguments().stream().anyMatch(this::otherBytes)) {
            throw Errors.unsupported(call.function() + " of a text in another character set");
        }
        Described described =
                expression instanceof Expression.Scalar
                        ? scalars.get(expression)
                        : Describing.of(expression, this::typed);
        return new Typed(
                kind, null, kind.text() ? characters : null, false, described, "", false, null);
    }

    /// What an aggregate or a query gives does not tell the column that it came from.
    private boolean otherBytes(Expression argument) {
        Typed typed = typed(argument);
        boolean hidden =
                argument instanceof Expression.Aggregate || argument instanceof Expression.Scalar;
        return typed.otherBytes() || (hidden && typed.kind().text());
    }

    private Typed part(Expression expression) {
        return of(expression, sources);
    }

    /// MySQL brings texts that are compared, or of which one is chosen or made, to one character
    /// set: a column's, where one of them is a column.
    ///
    /// @return which the result then has
    private BoundForm.@Nullable Form characters(Expression expression) {
        return switch (expression) {
            case Expression.Binary(var operator, var left, var right) when operator.comparison() ->
                    together(List.of(left, right));
            case Expression.In(var operand, var list, boolean not) ->
                    together(joined(operand, list));
            case Expression.Between(var operand, var low, var high, boolean not) ->
                    together(List.of(operand, low, high));
            case Expression.Like(var operand, var pattern, _, _, _) ->
                    together(List.of(operand, pattern));
            case Expression.Case choice -> {
                List<Expression> results = new ArrayList<>();
                choice.whens().forEach(when -> results.add(when.result()));
                if (choice.operand() != null) {
                    together(
                            joined(
                                    choice.operand(),
                                    choice.whens().stream()
                                            .map(Expression.When::condition)
                                            .toList()));
                }
                yield together(
                        choice.otherwise() == null ? results : joined(choice.otherwise(), results));
            }
            case Expression.Call call ->
                    together(
                            call.function() == Function.IF && call.arguments().size() == 3
                                    ? call.arguments().subList(1, 3)
                                    : call.arguments());
            case Expression.Joined joined -> together(joined.arguments());
            default -> null;
        };
    }

    private static List<Expression> joined(Expression first, List<Expression> others) {
        List<Expression> all = new ArrayList<>(others);
        all.add(first);
        return all;
    }

    private BoundForm.@Nullable Form together(List<Expression> parts) {
        for (Expression part : parts) {
            BoundForm.Form characters = typed(part).characters();
            if (characters != null) {
                parts.stream()
                        .filter(other -> typed(other).kind() == Kind.TEXT)
                        .forEach(text -> rules.formed(text, characters));
                return characters;
            }
        }
        return null;
    }

    private Kind kind(Expression expression) {
        return switch (expression) {
            case Expression.Column column -> sources.find(column).kind();
            case Expression.Parameter(int index) -> operands.kind(index);
            case Expression.Constant(SqlValue value, String text) -> ParameterTypes.kind(value);
            case Expression.Word(Expression.Word.Keyword word) ->
                    word == Expression.Word.Keyword.NULL ? Kind.NULL : Kind.TRUTH;
            case Expression.Default d -> Kind.UNKNOWN;
            case Expression.Inserted(String column) -> inserted(column);
            case Expression.Unary unary -> unary(unary);
            case Expression.Binary binary -> binary(binary);
            case Expression.Every every -> truths(every.conditions());
            case Expression.Any any -> truths(any.conditions());
            case Expression.Is(Expression operand, boolean not, Expression.Is.What what) -> {
                Typed type = part(operand);
                if (what != Expression.Is.What.NULL) {
                    KindRules.truth(type);
                } else if (!not && type.zeroIsNull()) {
                    throw Errors.unsupported("IS NULL of a date that is NOT NULL");
                }
                yield Kind.TRUTH;
            }
            case Expression.Between(var operand, var low, var high, boolean not) -> {
                Kind truth = compared(operand, List.of(low, high));
                requireOfOneSort(part(operand), part(low), part(high));
                yield truth;
            }
            case Expression.In(var operand, var list, boolean not) -> compared(operand, list);
            case Expression.InQuery(var operand, Query query, boolean not) ->
                    comparedWith(operand, query);
            case Expression.Quantified quantified ->
                    comparedWith(quantified.left(), quantified.query());
            case Expression.Exists(Query query, boolean not) -> {
                query(query, sources);
                yield Kind.TRUTH;
            }
            case Expression.Like(var operand, var pattern, _, _, boolean binary) when binary -> {
                KindRules.refuseOtherBytes(part(operand));
                part(pattern);
                yield Kind.TRUTH;
            }
            case Expression.Like(var operand, var pattern, var escape, _, _) -> {
                Typed searched = part(operand);
                rules.pattern(pattern, searched);
                KindRules.foldsLike(searched, operand, part(pattern));
                if (escape != null) {
                    part(escape);
                }
                yield Kind.TRUTH;
            }
            case Expression.Case choice -> choice(choice);
            case Expression.Call call -> FunctionKinds.of(call, rules, this::part);
            case Expression.Aggregate aggregate -> FunctionKinds.of(aggregate, this::part);
            case Expression.Joined joined -> {
                Kind kind = FunctionKinds.of(joined, this::part);
                order(joined.order(), List.of());
                joined.order().forEach(one -> requireKnown(one.expression(), joined));
                yield kind;
            }
            case Expression.Moved moved -> {
                Typed amount = part(moved.amount());
                Typed moment = part(moved.moment());
                KindRules.refuseUuid("INTERVAL", List.of(amount, moment));
                KindRules.refuseClosed("INTERVAL", amount, moment);
                yield moment.kind() == Kind.DATE ? Kind.DATE : Kind.DATETIME;
            }
            case Expression.Scalar(Query query) -> {
                List<Sources.Shown> shown = query(query, sources);
                if (shown.size() != 1) {
                    yield Kind.UNKNOWN;
                }
                Described described = shown.getFirst().type().described();
                if (described != null) {
                    scalars.put(expression, described.with(true));
                }
                yield shown.getFirst().type().kind();
            }
            case Expression.Row(List<Expression> values) -> {
                values.forEach(this::part);
                yield Kind.UNKNOWN;
            }
        };
    }

    /// GROUP_CONCAT of MariaDB takes NULL for a zero or an empty text where it orders by it; what
    /// is joined itself is left out then.
    private void requireKnown(Expression key, Expression.Joined joined) {
        Described described = typed(key).described();
        if (!joined.arguments().contains(key) && (described == null || described.nullable())) {
            throw Errors.unsupported("GROUP_CONCAT that is ordered by what may be NULL");
        }
    }

    private Kind inserted(String column) {
        Typed found = target == null ? null : target.find(column);
        return found == null ? Kind.UNKNOWN : found.kind();
    }

    private Kind truths(List<Expression> conditions) {
        conditions.forEach(this::truth);
        return Kind.TRUTH;
    }

    private Kind unary(Expression.Unary unary) {
        Typed type = part(unary.operand());
        return switch (unary.operator()) {
            case NOT -> {
                KindRules.truth(type);
                yield Kind.TRUTH;
            }
            case MINUS -> {
                if (type.kind() == Kind.BIG_UNSIGNED || type.kind() == Kind.TEXT) {
                    throw KindRules.unlike("arithmetic", type.kind());
                }
                Kind kind = rules.operand(unary.operand(), type);
                yield kind == Kind.FLOAT ? Kind.DOUBLE : kind.unsigned() ? Kind.INTEGER : kind;
            }
        };
    }

    private Kind binary(Expression.Binary binary) {
        if (binary.operator().comparison()) {
            return compared(binary.left(), List.of(binary.right()));
        }
        Kind left = rules.operand(binary.left(), part(binary.left()));
        Kind right = rules.operand(binary.right(), part(binary.right()));
        if (left.floating() || right.floating()) {
            return Kind.DOUBLE;
        }
        if (binary.operator() == BinaryOperator.DIVIDE
                || left == Kind.DECIMAL
                || right == Kind.DECIMAL) {
            return Kind.DECIMAL;
        }
        if (left.unsigned() || right.unsigned()) {
            boolean big = left == Kind.BIG_UNSIGNED || right == Kind.BIG_UNSIGNED;
            return big ? Kind.BIG_UNSIGNED : Kind.UNSIGNED;
        }
        return left == Kind.UNKNOWN || right == Kind.UNKNOWN ? Kind.UNKNOWN : Kind.INTEGER;
    }

    /// A server compares two texts as moments, or as numbers, where the third is one.
    private static void requireOfOneSort(Typed operand, Typed low, Typed high) {
        boolean open = low.kind().open() || high.kind().open();
        if (operand.kind().text() && !open && low.kind().text() != high.kind().text()) {
            throw KindRules.unlike("BETWEEN", low.kind(), high.kind());
        }
    }

    private Kind compared(Expression operand, List<Expression> others) {
        part(operand);
        others.forEach(this::part);
        others.forEach(other -> compared(operand, other));
        return Kind.TRUTH;
    }

    private void compared(Expression left, Expression right) {
        if (left instanceof Expression.Row(var some)
                && right instanceof Expression.Row(var others)) {
            for (int i = 0; i < Math.min(some.size(), others.size()); i++) {
                rules.comparable(
                        some.get(i), typed(some.get(i)), others.get(i), typed(others.get(i)));
                requireAlike(typed(some.get(i)), typed(others.get(i)));
            }
        } else {
            rules.comparable(left, typed(left), right, typed(right));
        }
    }

    /// Where neither side can be given another type.
    private static void requireAlike(Typed a, Typed b) {
        boolean floats = a.kind().floating() || b.kind().floating();
        boolean uuid = (a.kind() == Kind.UUID) != (b.kind() == Kind.UUID);
        boolean one = uuid && a.kind() != Kind.NULL && b.kind() != Kind.NULL;
        if (one || (floats && unlike(a, b.kind()) && !b.kind().open())) {
            throw KindRules.unlike("a comparison", a.kind(), b.kind());
        }
    }

    private Kind comparedWith(Expression left, Query query) {
        List<Expression> parts =
                left instanceof Expression.Row(List<Expression> values) ? values : List.of(left);
        part(left);
        List<Sources.Shown> shown = query(query, sources);
        for (int i = 0; i < Math.min(parts.size(), shown.size()); i++) {
            Expression name = new Expression.Column("", "", shown.get(i).name());
            rules.comparable(parts.get(i), typed(parts.get(i)), name, shown.get(i).type());
            requireAlike(typed(parts.get(i)), shown.get(i).type());
        }
        return Kind.TRUTH;
    }

    private Kind choice(Expression.Case choice) {
        if (choice.operand() != null) {
            part(choice.operand());
        }
        List<Typed> results = new ArrayList<>();
        for (Expression.When when : choice.whens()) {
            if (choice.operand() == null) {
                truth(when.condition());
            } else {
                part(when.condition());
                compared(choice.operand(), when.condition());
            }
            results.add(part(when.result()));
        }
        if (choice.otherwise() != null) {
            results.add(part(choice.otherwise()));
        }
        return FunctionKinds.either(results);
    }
}
