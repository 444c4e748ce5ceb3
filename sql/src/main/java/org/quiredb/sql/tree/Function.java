package org.quiredb.sql.tree;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The functions that the in-memory tier evaluates. All others run on the backend.
///
/// Whatever stands here gives MySQL's value for every argument, or refuses the argument. Those that
/// run in update transactions only give MySQL's value too, but describe their result's column
/// otherwise (length, digits, character set); plain reads leave them to the backend, which an
/// update transaction cannot, because the backend does not see its changes.
///
/// By example: docs/sql-support.md is made of this list.
public enum Function {
    COUNT(Where.EVERYWHERE, true),
    SUM(Where.EVERYWHERE, true),
    MIN(Where.EVERYWHERE, true),
    MAX(Where.EVERYWHERE, true),
    AVG(Where.TRANSACTIONS, true),

    COALESCE(Where.EVERYWHERE),
    IFNULL(Where.EVERYWHERE),
    NULLIF(Where.EVERYWHERE),
    LOWER(Where.EVERYWHERE, "LCASE"),
    UPPER(Where.EVERYWHERE, "UCASE"),
    CHAR_LENGTH(Where.EVERYWHERE, "CHARACTER_LENGTH"),
    ABS(Where.EVERYWHERE),

    IF(Where.TRANSACTIONS),
    GREATEST(Where.TRANSACTIONS),
    LEAST(Where.TRANSACTIONS),

    CONCAT(Where.TRANSACTIONS),
    CONCAT_WS(Where.TRANSACTIONS),
    SUBSTRING(Where.TRANSACTIONS, "SUBSTR", "MID"),
    LEFT(Where.TRANSACTIONS),
    RIGHT(Where.TRANSACTIONS),
    TRIM(Where.TRANSACTIONS),
    LTRIM(Where.TRANSACTIONS),
    RTRIM(Where.TRANSACTIONS),
    REPLACE(Where.TRANSACTIONS),
    LPAD(Where.TRANSACTIONS),
    RPAD(Where.TRANSACTIONS),
    REPEAT(Where.TRANSACTIONS),
    REVERSE(Where.TRANSACTIONS),
    SPACE(Where.TRANSACTIONS),
    INSTR(Where.TRANSACTIONS),
    LOCATE(Where.TRANSACTIONS),
    SUBSTRING_INDEX(Where.TRANSACTIONS),
    REGEXP_INSTR(Where.TRANSACTIONS),
    LENGTH(Where.TRANSACTIONS, "OCTET_LENGTH"),
    ASCII(Where.TRANSACTIONS),
    HEX(Where.TRANSACTIONS),
    UNHEX(Where.TRANSACTIONS),
    MD5(Where.TRANSACTIONS),
    SHA1(Where.TRANSACTIONS, "SHA"),
    SHA2(Where.TRANSACTIONS),
    CRC32(Where.TRANSACTIONS),
    FIND_IN_SET(Where.TRANSACTIONS),
    FIELD(Where.TRANSACTIONS),
    ELT(Where.TRANSACTIONS),
    INET_ATON(Where.TRANSACTIONS),

    FLOOR(Where.TRANSACTIONS),
    CEILING(Where.TRANSACTIONS, "CEIL"),
    ROUND(Where.TRANSACTIONS),
    TRUNCATE(Where.TRANSACTIONS),
    MOD(Where.TRANSACTIONS),
    SIGN(Where.TRANSACTIONS),
    RAND(Where.TRANSACTIONS),
    UUID(Where.TRANSACTIONS),
    LAST_INSERT_ID(Where.TRANSACTIONS),

    NOW(Where.TRANSACTIONS, "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP"),
    CURDATE(Where.TRANSACTIONS, "CURRENT_DATE"),
    DATE(Where.TRANSACTIONS),
    YEAR(Where.TRANSACTIONS),
    MONTH(Where.TRANSACTIONS),
    DAY(Where.TRANSACTIONS, "DAYOFMONTH"),
    HOUR(Where.TRANSACTIONS),
    MINUTE(Where.TRANSACTIONS),
    SECOND(Where.TRANSACTIONS),
    DAYOFWEEK(Where.TRANSACTIONS),
    WEEKDAY(Where.TRANSACTIONS),
    DAYOFYEAR(Where.TRANSACTIONS),
    QUARTER(Where.TRANSACTIONS),
    LAST_DAY(Where.TRANSACTIONS),
    TO_DAYS(Where.TRANSACTIONS),
    DATEDIFF(Where.TRANSACTIONS),
    UNIX_TIMESTAMP(Where.TRANSACTIONS),
    FROM_UNIXTIME(Where.TRANSACTIONS),
    DATE_FORMAT(Where.TRANSACTIONS);

    /// Which statements the tier itself runs that call it.
    public enum Where {
        EVERYWHERE,
        TRANSACTIONS
    }

    private static final Map<String, Function> BY_NAME = byName();

    private final Where where;
    private final boolean aggregate;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> otherNames;

    Function(Where where, String... otherNames) {
        this(where, false, otherNames);
    }

    Function(Where where, boolean aggregate, String... otherNames) {
        this.where = where;
        this.aggregate = aggregate;
        this.otherNames = List.of(otherNames);
    }

    private static Map<String, Function> byName() {
        Map<String, Function> functions = new HashMap<>();
        for (Function function : values()) {
            functions.put(function.name(), function);
            function.otherNames.forEach(name -> functions.put(name, function));
        }
        return Map.copyOf(functions);
    }

    /// @param name in any case
    public static @Nullable Function named(String name) {
        return BY_NAME.get(name.toUpperCase(Locale.ROOT));
    }

    public Where where() {
        return where;
    }

    public boolean aggregate() {
        return aggregate;
    }

    public List<String> otherNames() {
        return otherNames;
    }

    /// Whether each evaluation gives another value, or leaves something behind.
    public boolean byChance() {
        return this == RAND || this == UUID || this == LAST_INSERT_ID;
    }
}
