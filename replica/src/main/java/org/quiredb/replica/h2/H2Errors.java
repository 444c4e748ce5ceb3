package org.quiredb.replica.h2;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.api.ErrorCode;
import org.h2.message.DbException;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.file.PageFileException;
import org.quiredb.replica.page.VersionReclaimedException;

/// H2's errors as MySQL's.
final class H2Errors {
    private static final Pattern QUOTED = Pattern.compile("\"((?:[^\"]++|\"\")*+)\"");

    private H2Errors() {}

    /// What is behind the error, null where that is not among it.
    static <T extends Throwable> @Nullable T cause(Throwable error, Class<T> kind) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return kind.cast(cause);
            }
        }
        return null;
    }

    /// What leaves H2's side: ours, where H2 wrapped it.
    static RuntimeException outside(DbException error) {
        VersionReclaimedException reclaimed = cause(error, VersionReclaimedException.class);
        if (reclaimed != null) {
            return reclaimed;
        }
        PageFileException lost = cause(error, PageFileException.class);
        if (lost != null) {
            return lost;
        }
        QuireException ours = cause(error, QuireException.class);
        return ours == null ? new RefusedByH2Exception(error) : ours;
    }

    /// @param duplicate MySQL's words for the last key that was there already, null for none
    static ReplicaReply.Failed failed(
            DbException error, @Nullable String duplicate, String database) {
        String text = String.valueOf(error.getSQLException().getMessage());
        String name = subject(text);
        return switch (error.getErrorCode()) {
            case ErrorCode.DUPLICATE_KEY_1 -> reply(1062, "23000", duplicate(duplicate));
            case ErrorCode.TABLE_OR_VIEW_NOT_FOUND_1,
                    ErrorCode.TABLE_OR_VIEW_NOT_FOUND_DATABASE_EMPTY_1,
                    ErrorCode.TABLE_OR_VIEW_NOT_FOUND_WITH_CANDIDATES_2 ->
                    reply(1146, "42S02", "Table '" + database + "." + name + "' doesn't exist");
            case ErrorCode.COLUMN_NOT_FOUND_1 ->
                    reply(1054, "42S22", "Unknown column '" + name + "' in 'field list'");
            case ErrorCode.NAME_TOO_LONG_2 ->
                    reply(1059, "42000", "Identifier name '" + name + "...' is too long");
            case ErrorCode.ORDER_BY_NOT_IN_RESULT ->
                    Errors.failed(
                            Errors.unsupported(
                                    "DISTINCT that is ordered by what it does not show"));
            case ErrorCode.TYPES_ARE_NOT_COMPARABLE_2 ->
                    Errors.failed(Errors.unsupported("a comparison: " + text));
            case ErrorCode.AMBIGUOUS_COLUMN_NAME_1 ->
                    reply(1052, "23000", "Column '" + name + "' in field list is ambiguous");
            case ErrorCode.DUPLICATE_COLUMN_NAME_1 ->
                    reply(1110, "42000", "Column '" + name + "' specified twice");
            case ErrorCode.NULL_NOT_ALLOWED ->
                    reply(1048, "23000", "Column '" + name + "' cannot be null");
            case ErrorCode.COLUMN_COUNT_DOES_NOT_MATCH ->
                    reply(1136, "21S01", "Column count doesn't match value count at row 1");
            case ErrorCode.REFERENTIAL_INTEGRITY_VIOLATED_PARENT_MISSING_1 ->
                    reply(
                            1452,
                            "23000",
                            "Cannot add or update a child row: a foreign key constraint fails ("
                                    + text
                                    + ")");
            case ErrorCode.REFERENTIAL_INTEGRITY_VIOLATED_CHILD_EXISTS_1 ->
                    reply(
                            1451,
                            "23000",
                            "Cannot delete or update a parent row: a foreign key constraint fails ("
                                    + text
                                    + ")");
            case ErrorCode.VALUE_TOO_LONG_2 ->
                    reply(1406, "22001", "Data too long for column '" + name + "' at row 1");
            case ErrorCode.NUMERIC_VALUE_OUT_OF_RANGE_1, ErrorCode.NUMERIC_VALUE_OUT_OF_RANGE_2 ->
                    reply(1264, "22003", "Out of range value for column '" + name + "' at row 1");
            case ErrorCode.INVALID_DATETIME_CONSTANT_2 ->
                    reply(1292, "22007", "Incorrect datetime value: " + text);
            case ErrorCode.DATA_CONVERSION_ERROR_1 ->
                    reply(1366, "22007", "Incorrect value: " + text);
            case ErrorCode.GENERATED_COLUMN_CANNOT_BE_ASSIGNED_1 ->
                    reply(
                            1906,
                            "HY000",
                            "The value specified for generated column '"
                                    + name
                                    + "' in table has been ignored");
            case ErrorCode.DIVISION_BY_ZERO_1 -> reply(1365, "22012", "Division by 0");
            case ErrorCode.SCALAR_SUBQUERY_CONTAINS_MORE_THAN_ONE_ROW ->
                    reply(1242, "21000", "Subquery returns more than 1 row");
            case ErrorCode.FUNCTION_NOT_FOUND_1 ->
                    reply(1305, "42000", "FUNCTION " + name + " does not exist");
            case ErrorCode.SYNTAX_ERROR_1, ErrorCode.SYNTAX_ERROR_2 ->
                    reply(
                            1064,
                            "42000",
                            "You have an error in your SQL syntax, or it is not supported here: "
                                    + text);
            default -> reply(1105, "HY000", text);
        };
    }

    private static ReplicaReply.Failed reply(int number, String sqlState, String message) {
        return new ReplicaReply.Failed(number, sqlState, message, false, 0);
    }

    /// @param message MySQL's words for the last key that was there already
    static String duplicate(@Nullable String message) {
        return message == null ? "Duplicate entry" : message;
    }

    /// The first name that H2 quotes in its message.
    private static String subject(String text) {
        Matcher matcher = QUOTED.matcher(text);
        if (!matcher.find()) {
            return "";
        }
        String name = matcher.group(1).replace("\"\"", "\"").strip();
        int space = name.indexOf(' ');
        return (space < 0 ? name : name.substring(0, space)).replace("\"", "");
    }
}
