package org.quiredb.scheduler.session;

import java.time.Duration;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.StatementCall;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.text.Tokens;

/// Statements in the form in which replicas take them.
final class Calls {
    private static final String LAST_INSERT_ID = "LAST_INSERT_ID";

    private Calls() {}

    static StatementCall of(SessionState state, ClientStatement statement, boolean foundRows) {
        NormalizedSql normalized =
                Tokens.mentions(statement.sql(), LAST_INSERT_ID)
                        ? filled(state, statement)
                        : statement.normalized();
        return new StatementCall(
                state.database(),
                normalized.text(),
                normalized.bind(statement.bound()),
                statement.binaryRows(),
                state.statusFlags(statement.moreResults()),
                foundRows,
                state.modes(),
                0,
                statement.savepoint());
    }

    private static NormalizedSql filled(SessionState state, ClientStatement statement) {
        Tokens tokens = statement.tokens();
        Edits edits = new Edits(tokens);
        ReplicaText.withValue(
                LAST_INSERT_ID, Long.toUnsignedString(state.lastInsertId()), tokens, edits);
        return NormalizedSql.of(edits.made());
    }

    static void pause(long millis) {
        try {
            Thread.sleep(Duration.ofMillis(millis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(ErrorCode.SERVER_SHUTDOWN, "the scheduler stops", e);
        }
    }
}
