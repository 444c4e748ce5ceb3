package org.quiredb.replica.binding;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.describe.Described;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.kind.BoundForm;
import org.quiredb.replica.kind.Kinds;
import org.quiredb.replica.kind.ParameterTypes;
import org.quiredb.replica.kind.Scope;
import org.quiredb.replica.kind.ShownColumn;
import org.quiredb.replica.kind.TreeFacts;
import org.quiredb.replica.layout.Collation;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.result.Keepable;
import org.quiredb.sql.tree.Function;
import org.quiredb.sql.tree.Query;
import org.quiredb.sql.tree.Reading;
import org.quiredb.sql.tree.Support;

/// A statement bound to the catalogue: the tables that it names, what follows from their types, and
/// what H2 is to run.
///
/// @param tables in the order in which the statement names them
/// @param collation that of the tables, OTHER for several, null for none
/// @param query of a query, null for a change
/// @param shown the columns of a query's result
/// @param forms what bound values have to look like
/// @param changes of a change, one for each table; none for a query
/// @param plan of a read outside update transactions
/// @param keepable of a read outside update transactions
/// @param point set once it was seen to be planned as a `PointRead`
public record BoundStatement(
        List<TableLayout> tables,
        @Nullable Collation collation,
        Set<String> ordered,
        boolean makesText,
        boolean locksAll,
        Query.Waiting waiting,
        List<ShownColumn> shown,
        List<BoundForm> forms,
        TableChange.@Nullable Part query,
        List<TableChange> changes,
        KeptPlan plan,
        Keepable keepable,
        AtomicBoolean point) {
    public BoundStatement {
        tables = List.copyOf(tables);
        ordered = Set.copyOf(ordered);
        shown = List.copyOf(shown);
        forms = List.copyOf(forms);
        changes = List.copyOf(changes);
    }

    /// @throws QuireException where H2 and MySQL would take one of the values otherwise, or H2 too
    ///   long
    public void requireForms(List<SqlValue> values) {
        for (int i = 0; i < forms.size(); i++) {
            forms.get(i).require(values);
        }
    }

    /// Where a plan of our own is to run it.
    public void requireFormsOfPlans(List<SqlValue> values) {
        for (int i = 0; i < forms.size(); i++) {
            if (!forms.get(i).form().ofSearches()) {
                forms.get(i).require(values);
            }
        }
    }

    /// @throws IllegalStateException of a change
    public TableChange.Part queryText() {
        if (query == null) {
            throw new IllegalStateException("a change has no query");
        }
        return query;
    }

    /// A read outside update transactions.
    ///
    /// @throws QuireException of code NOT_SUPPORTED_YET for what the backend has to run
    public static BoundStatement read(Reading reading, Scope scope, ParameterTypes operands) {
        if (reading.query() == null) {
            throw Errors.unsupported(orElse(reading.leftOut(), "not a query"));
        }
        String reason = Support.leftToBackend(reading.query());
        if (!reason.isEmpty()) {
            throw Errors.unsupported(reason);
        }
        if (TreeFacts.sumsQuotients(reading.query())) {
            throw Errors.unsupported("a sum of quotients, which some plans round");
        }
        BoundStatement bound = query(reading.query(), scope, operands);
        boolean described = Support.needsDescription(reading.query());
        boolean kept = TreeFacts.keeps(reading.query());
        if (kept && TreeFacts.calls(reading.query(), Function.QUARTER)) {
            throw Errors.unsupported("QUARTER, which some plans describe otherwise");
        }
        for (ShownColumn column : bound.shown()) {
            if (column.computed() && floats(column.described())) {
                throw Errors.unsupported("a computed number that floats: its zero has a sign");
            }
            if (column.computed() && column.described() == null) {
                if (described || column.strict()) {
                    throw Errors.unsupported("a column that only the backend describes");
                }
            } else if (column.computed() && kept && column.strict() && !column.keeps()) {
                throw Errors.unsupported("a column that some plans describe otherwise");
            }
        }
        return bound;
    }

    private static boolean floats(@Nullable Described described) {
        return described != null
                && (described.type() == MySqlType.DOUBLE || described.type() == MySqlType.FLOAT);
    }

    /// A statement of an update transaction.
    ///
    /// @throws QuireException what the tier does not run with MySQL's meaning, or a syntax error
    public static BoundStatement update(Reading reading, Scope scope, ParameterTypes operands) {
        if (!reading.understood()) {
            throw new QuireException(
                    ErrorCode.SYNTAX_ERROR,
                    "You have an error in your SQL syntax, or Quire does not know this form of it"
                            + " in an update transaction: "
                            + reading.leftOut());
        }
        if (reading.change() != null) {
            scope.change(reading.change());
            TreeFacts facts = TreeFacts.of(reading.change());
            Kinds kinds = new Kinds(scope, operands);
            kinds.change(reading.change());
            return new BoundStatement(
                    scope.tables(),
                    scope.collation(),
                    facts.ordered(),
                    facts.makesText(),
                    false,
                    Query.Waiting.USUAL,
                    List.of(),
                    kinds.forms(),
                    null,
                    new H2Changes(scope, operands, kinds).of(reading.change()),
                    new KeptPlan(),
                    new Keepable(),
                    new AtomicBoolean());
        }
        if (reading.query() == null) {
            throw Errors.unsupported(reading.leftOut());
        }
        return query(reading.query(), scope, operands);
    }

    private static BoundStatement query(Query query, Scope scope, ParameterTypes operands) {
        scope.query(query);
        TreeFacts facts = TreeFacts.of(query);
        Kinds kinds = new Kinds(scope, operands);
        List<ShownColumn> shown = kinds.shown(query);
        H2Text text = new H2Text(scope, scope.folds(), operands, kinds);
        text.shown(query);
        return new BoundStatement(
                scope.tables(),
                scope.collation(),
                facts.ordered(),
                facts.makesText(),
                facts.locksAll(),
                facts.waiting(),
                shown,
                kinds.forms(),
                text.part(),
                List.of(),
                new KeptPlan(),
                new Keepable(),
                new AtomicBoolean());
    }

    private static String orElse(String text, String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }
}
