package org.quiredb.scheduler.session;

import java.time.Duration;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.StatementCall;
import org.quiredb.sql.text.NormalizedSql;

/// Statements in the form in which replicas take them.
final class Calls {
    private Calls() {}

    static StatementCall of(SessionState state, ClientStatement statement, boolean foundRows) {
        String filled =
                ReplicaText.withValue(
                        "LAST_INSERT_ID",
                        Long.toUnsignedString(state.lastInsertId()),
                        statement.sql());
        NormalizedSql normalized =
                filled.equals(statement.sql()) ? statement.normalized() : NormalizedSql.of(filled);
        return new StatementCall(
                state.database(),
                normalized.text(),
                normalized.bind(statement.bound()),
                statement.binaryRows(),
                state.statusFlags(statement.moreResults()),
                foundRows,
                state.modes(),
                0);
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
