package org.quiredb.common.error;

/// The errors that Quire itself raises, each with MySQL's number and SQLSTATE for it.
///
/// Source: MySQL 8.0 error message reference; MariaDB agrees on all of these but 3024.
public enum ErrorCode {
    OUT_OF_SORT_MEMORY(1038, "HY001"),
    TOO_MANY_CONNECTIONS(1040, "08004"),
    OUT_OF_RESOURCES(1041, "HY000"),
    DATABASE_ACCESS_DENIED(1044, "42000"),
    ACCESS_DENIED(1045, "28000"),
    NO_DATABASE_SELECTED(1046, "3D000"),
    UNKNOWN_COMMAND(1047, "08S01"),
    COLUMN_CANNOT_BE_NULL(1048, "23000"),
    TABLE_EXISTS(1050, "42S01"),
    UNKNOWN_TABLE(1051, "42S02"),
    AMBIGUOUS_COLUMN(1052, "23000"),
    SERVER_SHUTDOWN(1053, "08S01"),
    UNKNOWN_COLUMN(1054, "42S22"),
    DUPLICATE_COLUMN(1060, "42S21"),
    DUPLICATE_KEY(1062, "23000"),
    SYNTAX_ERROR(1064, "42000"),
    INVALID_DEFAULT(1067, "42000"),
    UPDATED_TABLE_USED(1093, "HY000"),
    UNKNOWN_THREAD(1094, "HY000"),
    NOT_OWNER_OF_THREAD(1095, "HY000"),
    WRONG_DATABASE_NAME(1102, "42000"),
    UNKNOWN_ERROR(1105, "HY000"),
    UNKNOWN_TARGET(1109, "42S02"),
    INVALID_USE_OF_AGGREGATE(1111, "HY000"),
    ROW_TOO_LARGE(1118, "42000"),
    COLUMN_COUNT_MISMATCH(1136, "21S01"),
    NO_SUCH_TABLE(1146, "42S02"),
    PACKET_TOO_LARGE(1153, "08S01"),
    HOST_IS_BLOCKED(1129, "HY000"),
    TABLE_ACCESS_DENIED(1142, "42000"),
    COLUMN_ACCESS_DENIED(1143, "42000"),
    /// A commit of more changes than the log takes in one piece; the transaction is rolled back.
    TRANSACTION_TOO_LARGE(1197, "HY000"),
    LOCK_WAIT_TIMEOUT(1205, "HY000"),
    DEADLOCK(1213, "40001"),
    CANNOT_ADD_CHILD_ROW(1452, "23000"),
    CANNOT_DELETE_PARENT_ROW(1451, "23000"),
    WRONG_ARGUMENTS(1210, "HY000"),
    SPECIFIC_ACCESS_DENIED(1227, "42000"),
    NOT_SUPPORTED_YET(1235, "42000"),
    UNKNOWN_STATEMENT_HANDLER(1243, "HY000"),
    NESTED_TOO_DEEP(1436, "HY000"),
    TOO_MANY_PREPARED(1461, "42000"),
    FOREIGN_DUPLICATE_KEY(1761, "23000"),
    CASCADES_TOO_DEEP(3008, "HY000"),
    TOO_MANY_PLACEHOLDERS(1390, "HY000"),
    DIVISION_BY_ZERO(1365, "22012"),
    INCORRECT_VALUE(1366, "22007"),
    DATA_TRUNCATED(1265, "01000"),
    OUT_OF_RANGE(1264, "22003"),
    RESULT_OUT_OF_RANGE(1690, "22003"),
    ILLEGAL_VALUE(1367, "22007"),
    DATA_TOO_LONG(1406, "22001"),
    INCORRECT_DATETIME(1292, "22007"),
    FIELD_HAS_NO_DEFAULT(1364, "HY000"),
    ILLEGAL_MIX_OF_COLLATIONS(1267, "HY000"),
    SUBQUERY_MORE_THAN_ONE_ROW(1242, "21000"),
    FUNCTION_DOES_NOT_EXIST(1305, "42000"),
    RESULT_NOT_TAKEN(1312, "0A000"),
    QUERY_INTERRUPTED(1317, "70100"),
    /// MySQL's ER_QUERY_TIMEOUT: a limit on the server's side has ended the read; the connection
    /// stays, and clients do not try again by themselves.
    TABLE_CHANGED(1412, "HY000"),
    TRANSACTION_IN_PROGRESS(1568, "25001"),
    SNAPSHOT_TOO_OLD(3024, "HY000"),
    SECURE_TRANSPORT_REQUIRED(3159, "08004"),
    LOCK_NOT_AT_ONCE(3572, "HY000"),
    CHECK_VIOLATED(3819, "HY000"),
    INVALID_JSON_TEXT(3140, "22032"),
    JSON_TOO_DEEP(3157, "22032"),
    IDLE_TIMEOUT(4031, "HY000"),
    CONSTRAINT_FAILED(4025, "23000"),
    ACCOUNT_LOCKED(4151, "HY000"),
    PASSWORD_EXPIRED(1862, "HY000"),
    READ_ONLY_TRANSACTION(1792, "25006"),
    /// The tier cannot do it now and says what is missing: no replica in sync, backend away, log
    /// full.
    TIER_UNAVAILABLE(1290, "HY000");

    private final int number;
    private final String sqlState;

    ErrorCode(int number, String sqlState) {
        this.number = number;
        this.sqlState = sqlState;
    }

    public int number() {
        return number;
    }

    public String sqlState() {
        return sqlState;
    }
}
