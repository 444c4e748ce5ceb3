package org.quiredb.logger.backend;

import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// What keeps something from going on, which tries again and again.
///
/// @param since when it was met first
/// @param lasting whether somebody has to see to it: who waits is told at once
public record Hindrance(String reason, Instant since, boolean lasting) {
    /// The same one as before, as far as its beginning is concerned.
    public static Hindrance met(@Nullable Hindrance before, String reason, boolean lasting) {
        Instant since = before == null ? Instant.now() : before.since;
        return new Hindrance(reason, since, lasting);
    }

    public static Hindrance met(@Nullable Hindrance before, String what, SQLException error) {
        return met(before, what + BackendErrors.explain(error), !BackendErrors.mayPass(error));
    }

    @Override
    public String toString() {
        return "since " + since.truncatedTo(ChronoUnit.SECONDS) + ": " + reason;
    }
}
