package org.quiredb.scheduler.session.setting;

import java.util.Set;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.Freshness;
import org.quiredb.scheduler.fallback.connection.Asked;
import org.quiredb.scheduler.fallback.connection.Outcome;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.backend.NamedLocks;
import org.quiredb.scheduler.session.backend.ReplicaText;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// What sql_safe_updates asks of a change.
///
/// Threads: owned by the session's thread.
public record SafeUpdates(Services services, Fallback fallback) {
    /// Under sql_safe_updates: the backend tells from its indexes whether a change finds its rows
    /// by a key. What else it has to say of it is for the master.
    ///
    /// @param named which it names
    public void require(Set<TableName> named, ClientStatement statement) {
        Tokens tokens = statement.tokens();
        boolean deletes = tokens.is(0, "DELETE");
        if (!deletes && !tokens.is(0, "UPDATE")) {
            return;
        }
        if ((deletes && !has(tokens, "WHERE"))
                || (!has(tokens, "LIMIT") && !byKey(named, statement))) {
            throw new StatementFailed(
                    1175,
                    "HY000",
                    "You are using safe update mode and you tried to update a table without a WHERE"
                            + " that uses a KEY column");
        }
    }

    /// Outside of parentheses.
    private static boolean has(Tokens tokens, String clause) {
        int depth = 0;
        for (int i = 0; i < tokens.size(); i++) {
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
            if (depth == 0 && tokens.is(i, clause)) {
                return true;
            }
        }
        return false;
    }

    /// To explain what names a view may run that, and so what it calls: the master refuses it.
    private boolean byKey(Set<TableName> named, ClientStatement statement) {
        Catalogue held = services.cluster().catalogue();
        if (named.stream().anyMatch(table -> held.table(table).isEmpty())) {
            return true;
        }
        Tokens tokens = statement.tokens();
        fallback.requireNotOfLog(tokens);
        if (!fallback.programs().requireReading(tokens).isEmpty()) {
            return true;
        }
        NamedLocks.requireNone(tokens);
        Edits edits = new Edits(tokens);
        ReplicaText.withLiterals(statement.bound(), tokens, edits);
        Outcome plan;
        try {
            plan =
                    services.backend()
                            .run(
                                    fallback.session(),
                                    Freshness.ANY,
                                    new Asked("DO 1", "DO 1", false, 0, "EXPLAIN " + edits.made()),
                                    packets -> {});
        } catch (StatementFailed e) {
            return true;
        }
        return plan.then().stream()
                .anyMatch(cell ->
                        switch (cell.column().name()) {
                            case "possible_keys" -> !(cell.value() instanceof SqlValue.Null);
                            case "Extra" ->
                                    cell.value() instanceof SqlValue.StringValue(String extra)
                                            && extra.contains("Impossible");
                            default -> false;
                        });
    }
}
