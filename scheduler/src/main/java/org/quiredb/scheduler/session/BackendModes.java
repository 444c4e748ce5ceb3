package org.quiredb.scheduler.session;

import java.util.List;
import java.util.Set;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.SessionModes;

/// What a session's modes are on the backend, where names of several modes stand for each of them.
///
/// @param sqlMode names with commas between them, as the server shows them
record BackendModes(boolean foreignKeysUnchecked, String sqlMode) {
    /// Under these a statement means something else than in memory.
    private static final Set<String> OTHER_MEANING =
            Set.of(
                    "ANSI_QUOTES",
                    "PIPES_AS_CONCAT",
                    "NO_BACKSLASH_ESCAPES",
                    "HIGH_NOT_PRECEDENCE",
                    "NO_UNSIGNED_SUBTRACTION",
                    "PAD_CHAR_TO_FULL_LENGTH",
                    "EMPTY_STRING_IS_NULL",
                    "SIMULTANEOUS_ASSIGNMENT",
                    "TIME_ROUND_FRACTIONAL",
                    "ORACLE");

    private List<String> names() {
        return List.of(sqlMode.split(",", -1));
    }

    /// @throws QuireException for a mode under which memory and backend would differ
    void requireSupported() {
        for (String name : names()) {
            if (OTHER_MEANING.contains(name)) {
                throw new QuireException(
                        ErrorCode.NOT_SUPPORTED_YET, "Quire does not support sql_mode " + name);
            }
        }
    }

    SessionModes ofUpdates() {
        return new SessionModes(foreignKeysUnchecked, names().contains("NO_AUTO_VALUE_ON_ZERO"));
    }
}
