package org.quiredb.scheduler.session.backend;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.SessionModes;
import org.quiredb.scheduler.cluster.StatementFailed;

/// What a session's modes are on the backend, where names of several modes stand for each of them.
///
/// @param sqlMode names with commas between them, as the server shows them
public record BackendModes(boolean foreignKeysUnchecked, boolean checksUnchecked, String sqlMode) {
    private static final String NO_ESCAPES = "NO_BACKSLASH_ESCAPES";

    /// Under these a statement's text is another one; ANSI_QUOTES and NO_BACKSLASH_ESCAPES are seen
    /// to where a statement comes in.
    private static final Set<String> OTHER_TEXT = Set.of("EMPTY_STRING_IS_NULL", "ORACLE");

    /// All that a server's parser looks at.
    private static final Set<String> OF_READING =
            Set.of(
                    "ANSI_QUOTES",
                    "EMPTY_STRING_IS_NULL",
                    "HIGH_NOT_PRECEDENCE",
                    "IGNORE_SPACE",
                    NO_ESCAPES,
                    "ORACLE",
                    "PIPES_AS_CONCAT",
                    "REAL_AS_FLOAT");

    /// Under these, but for PIPES_AS_CONCAT, as memory knows no `||`, it means something else than
    /// in memory.
    private static final Set<String> OTHER_MEANING =
            Set.of(
                    "HIGH_NOT_PRECEDENCE",
                    "NO_UNSIGNED_SUBTRACTION",
                    "PAD_CHAR_TO_FULL_LENGTH",
                    "SIMULTANEOUS_ASSIGNMENT",
                    "TIME_ROUND_FRACTIONAL");

    /// NULL, out of range, cut off, no moment, no default, no text of the character set, no value
    /// of the type, too long.
    private static final Set<Integer> UNFIT =
            Set.of(1048, 1264, 1265, 1292, 1364, 1366, 1367, 1406);

    private static final int DIVISION_BY_ZERO = 1365;

    private List<String> names() {
        return List.of(sqlMode.split(",", -1));
    }

    /// @throws QuireException for a mode under which memory and backend would read otherwise
    public void requireSupported(boolean mariaDb) {
        for (String name : names()) {
            boolean other = name.equals(NO_ESCAPES) && !mariaDb; // LIKE has no escapes, either
            if (other || OTHER_TEXT.contains(name)) {
                throw new QuireException(
                        ErrorCode.NOT_SUPPORTED_YET, "Quire does not support sql_mode " + name);
            }
        }
    }

    /// Whether a change that memory refuses for one of its values may be made under these modes,
    /// with a value that fits and a warning.
    ///
    /// @param number of the error
    boolean takes(int number) {
        boolean strict =
                names().contains("STRICT_TRANS_TABLES") || names().contains("STRICT_ALL_TABLES");
        return number == DIVISION_BY_ZERO
                ? !strict || !names().contains("ERROR_FOR_DIVISION_BY_ZERO")
                : !strict && UNFIT.contains(number);
    }

    /// Whether it is an error for which modes matter.
    public static boolean isOfValues(int number) {
        return number == DIVISION_BY_ZERO || UNFIT.contains(number);
    }

    /// Memory takes only what fits, as a strict server; of another the backend says what becomes of
    /// it.
    public static boolean mayMakeFit(RuntimeException error, Fallback fallback) {
        int number =
                switch (error) {
                    case QuireException e -> e.code().number();
                    case StatementFailed e -> e.number();
                    default -> 0;
                };
        if (!isOfValues(number)) {
            return false;
        }
        try {
            return fallback.settings().modes().takes(number);
        } catch (QuireException e) { // no backend tells, nor could it make anything fit
            return false;
        }
    }

    /// One under which the backend is to run everything; empty for none.
    public String ofBackend() {
        return names().stream().filter(OTHER_MEANING::contains).findFirst().orElse("");
    }

    /// Those on which it hangs what a text says.
    public Set<String> ofReading() {
        return names().stream().filter(OF_READING::contains).collect(Collectors.toSet());
    }

    /// Whether a backslash begins an escape.
    public boolean escapes() {
        return !names().contains(NO_ESCAPES);
    }

    /// Whether double quotes are around names.
    public boolean quotesNames() {
        return names().contains("ANSI_QUOTES");
    }

    public SessionModes ofUpdates() {
        return new SessionModes(
                foreignKeysUnchecked,
                names().contains("NO_AUTO_VALUE_ON_ZERO"),
                checksUnchecked,
                names().contains("NO_ZERO_DATE") || names().contains("NO_ZERO_IN_DATE"),
                false);
    }
}
