package org.quiredb.scheduler.session.statement;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.Condition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Collected;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Tokens;

/// A read whose row the session's own variables are given.
///
/// Threads: as of the session.
final class IntoVariables {
    private static final Condition NO_DATA =
            new Condition("Warning", 1329, "No data - zero rows fetched, selected, or processed");

    private final SessionState state;
    private final OwnQuery query;

    /// Runs a query as if the client had sent it.
    interface OwnQuery {
        Collected run(String sql, List<SqlValue> bound);
    }

    IntoVariables(SessionState state, OwnQuery query) {
        this.state = state;
        this.query = query;
    }

    /// Where a read must give its row to variables and is not for the backend, which would give it
    /// to its own: null for any other.
    SessionTerms.@Nullable Into own(Classification.Read read, ClientStatement statement) {
        boolean own = read.locking() || state.changed();
        return own && statement.ofSession() ? SessionTerms.of(statement.tokens()).into() : null;
    }

    void read(SessionTerms.Into into, ClientStatement statement, Output output) {
        Tokens tokens = statement.tokens();
        Edits edits = new Edits(tokens);
        edits.replace(into.from(), into.to(), "");
        Collected result = query.run(edits.made(), statement.bound());
        if (result.columns().size() != into.names().size()) {
            throw new StatementFailed(
                    1222, "21000", "The used SELECT statements have a different number of columns");
        }
        if (result.rows().size() > 1) {
            throw new StatementFailed(1172, "42000", "Result consisted of more than one row");
        }
        boolean none = result.rows().isEmpty();
        if (none) {
            state.diagnostics().warned(List.of(NO_DATA));
        }
        for (int i = 0; i < into.names().size() && !none; i++) {
            state.variables().set(into.names().get(i), result.rows().getFirst().get(i));
        }
        output.ok(none ? 0 : 1, 0, state.statusFlags(statement.moreResults()), none ? 1 : 0, "");
    }
}
