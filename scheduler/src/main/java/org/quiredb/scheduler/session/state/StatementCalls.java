package org.quiredb.scheduler.session.state;

import java.time.Duration;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.StatementCall;

/// Statements in the form in which replicas take them.
public final class StatementCalls {
    private StatementCalls() {}

    public static StatementCall of(
            SessionState state, ClientStatement statement, boolean foundRows) {
        return new StatementCall(
                state.database(),
                statement.normalized().text(),
                statement.normalized().bind(statement.bound()),
                statement.binaryRows(),
                state.statusFlags(statement.moreResults()),
                foundRows,
                state.modes(),
                state.nextInsertId(),
                state.momentMicros(),
                statement.step());
    }

    public static void pause(long millis) {
        try {
            Thread.sleep(Duration.ofMillis(millis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(ErrorCode.SERVER_SHUTDOWN, "the scheduler stops", e);
        }
    }
}
