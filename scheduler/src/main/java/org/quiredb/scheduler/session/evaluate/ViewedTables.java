package org.quiredb.scheduler.session.evaluate;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.connection.Routines;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.backend.ProgramWalk;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// The tables of a change of rows, with those that its views read in the views' places.
///
/// Of a view that calls what may leave something changed, or that is not understood, nothing is
/// told.
///
/// @param tables all that it names
/// @param changed those whose rows it may change: of a view all that it reads
/// @param views their queries
/// @param changesViews whether it may change rows by one
public record ViewedTables(
        Set<TableName> tables,
        Set<TableName> changed,
        Map<TableName, String> views,
        boolean changesViews) {
    private static final int MOST = 64;

    public ViewedTables {
        tables = Set.copyOf(tables);
        changed = Set.copyOf(changed);
        views = Map.copyOf(views);
    }

    /// @param tables with their databases
    /// @param refusal where it names what is neither a table of the tier nor such a view
    static ViewedTables of(
            Set<TableName> tables,
            Set<TableName> changed,
            Services services,
            RuntimeException refusal) {
        Map<TableName, String> views = new HashMap<>();
        Set<TableName> written = resolved(changed, views, services, refusal);
        boolean changesViews = !views.isEmpty();
        Set<TableName> read = resolved(tables, views, services, refusal);
        return new ViewedTables(read, written, views, changesViews);
    }

    /// Of what names none, or whose views are not looked at.
    static ViewedTables without(Set<TableName> tables, Set<TableName> changed) {
        return new ViewedTables(tables, changed, Map.of(), false);
    }

    /// The tier does not have the table, of which the client may change rows.
    ///
    /// @throws QuireException when the backend does: a view, or a table of types that only it has
    /// @throws StatementFailed where it is a view of what is gone, or of what its definer may not
    ///   read
    public static void refuseIfThere(TableName table, Fallback fallback, Services services) {
        try {
            fallback.requireTable(table);
        } catch (QuireException e) {
            return; // nobody tells
        } catch (StatementFailed e) {
            if (e.number() == ErrorCode.NO_SUCH_TABLE.number()) {
                return;
            }
            if (services.backend().routines().view(table).isEmpty()) {
                return; // of what may not be read nobody is told whether it is there
            }
            if (e.number() != ErrorCode.TABLE_ACCESS_DENIED.number()) {
                throw e;
            } // else it may be changed, but not be read
        }
        throw new QuireException(
                ErrorCode.NOT_SUPPORTED_YET,
                "Quire does not support this in an update transaction: "
                        + table
                        + " is a view, or a table with a type that the tier does not hold, and is only read");
    }

    private static Set<TableName> resolved(
            Set<TableName> names,
            Map<TableName, String> views,
            Services services,
            RuntimeException refusal) {
        Set<TableName> found = new HashSet<>();
        Set<TableName> seen = new HashSet<>();
        Deque<TableName> left = new ArrayDeque<>(names);
        while (!left.isEmpty()) {
            TableName name = left.remove();
            if (!seen.add(name)) {
                continue;
            }
            if (services.cluster().catalogue().table(name).isPresent()) {
                found.add(name);
                continue;
            }
            if (seen.size() > MOST) {
                throw refusal;
            }
            String query =
                    views.computeIfAbsent(
                            name,
                            view ->
                                    services.backend()
                                            .routines()
                                            .view(view)
                                            .map(Routines.View::query)
                                            .orElseThrow(() -> refusal));
            left.addAll(tables(query, services, refusal));
        }
        return found;
    }

    /// Of a view's query, in which names have their databases. It is looked at more than once.
    private static Set<TableName> tables(
            String query, Services services, RuntimeException refusal) {
        Tokens tokens = Tokens.of(query).plain();
        boolean effects =
                ChangedRows.hasEffects(tokens) || ProgramWalk.callsStored(tokens, Set.of());
        if (!effects
                && services.classifier().classify(NormalizedSql.of(query).text())
                        instanceof Classification.Read read
                && !read.locking()
                && !read.tables().isEmpty()
                && read.tables().stream().noneMatch(table -> table.database().isEmpty())) {
            return read.tables();
        }
        throw refusal;
    }

    /// Whether it names any.
    boolean any() {
        return !views.isEmpty();
    }

    /// Whether views are what they were, which the backend keeps them once it has run the
    /// statement.
    void requireSame(Routines routines) {
        views.forEach((view, query) -> {
            if (!routines.view(view).map(Routines.View::query).equals(Optional.of(query))) {
                throw new QuireException(
                        ErrorCode.TABLE_CHANGED,
                        "the view %s was replaced while it was read; try restarting transaction"
                                .formatted(view));
            }
        });
    }
}
