package org.quiredb.sql.tree;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The functions that the in-memory tier evaluates. All others run on the backend.
///
/// Whatever stands here gives MySQL's value for every argument, or refuses the argument. How a
/// result's column is described (type, length, digits, character set) is derived from the arguments
/// of most; where that is not known for an argument, a plain read is left to the backend, which an
/// update transaction cannot be, because the backend does not see its changes.
///
/// By example: docs/sql-support.md is made of this list.
public enum Function {
    COUNT(Where.EVERYWHERE, true),
    SUM(Where.EVERYWHERE, true),
    MIN(Where.EVERYWHERE, true),
    MAX(Where.EVERYWHERE, true),
    AVG(Where.DESCRIBED, true),

    COALESCE(Where.EVERYWHERE),
    IFNULL(Where.EVERYWHERE),
    NULLIF(Where.EVERYWHERE),
    LOWER(Where.EVERYWHERE, "LCASE"),
    UPPER(Where.EVERYWHERE, "UCASE"),
    CHAR_LENGTH(Where.EVERYWHERE, "CHARACTER_LENGTH"),
    ABS(Where.EVERYWHERE),

    IF(Where.DESCRIBED),
    GREATEST(Where.DESCRIBED),
    LEAST(Where.DESCRIBED),

    CONCAT(Where.DESCRIBED),
    CONCAT_WS(Where.DESCRIBED),
    SUBSTRING(Where.DESCRIBED, "SUBSTR", "MID"),
    LEFT(Where.DESCRIBED),
    RIGHT(Where.DESCRIBED),
    TRIM(Where.DESCRIBED),
    LTRIM(Where.DESCRIBED),
    RTRIM(Where.DESCRIBED),
    REPLACE(Where.DESCRIBED),
    LPAD(Where.DESCRIBED),
    RPAD(Where.DESCRIBED),
    REPEAT(Where.DESCRIBED),
    REVERSE(Where.DESCRIBED),
    SPACE(Where.DESCRIBED),
    INSTR(Where.DESCRIBED),
    LOCATE(Where.DESCRIBED),
    SUBSTRING_INDEX(Where.DESCRIBED),
    REGEXP_INSTR(Where.DESCRIBED),
    LENGTH(Where.DESCRIBED, "OCTET_LENGTH"),
    ASCII(Where.DESCRIBED),
    HEX(Where.DESCRIBED),
    UNHEX(Where.DESCRIBED),
    MD5(Where.DESCRIBED),
    SHA1(Where.DESCRIBED, "SHA"),
    SHA2(Where.DESCRIBED),
    CRC32(Where.DESCRIBED),
    FIND_IN_SET(Where.DESCRIBED),
    FIELD(Where.DESCRIBED),
    ELT(Where.DESCRIBED),
    INET_ATON(Where.DESCRIBED),

    FLOOR(Where.DESCRIBED),
    CEILING(Where.DESCRIBED, "CEIL"),
    ROUND(Where.DESCRIBED),
    TRUNCATE(Where.DESCRIBED),
    MOD(Where.DESCRIBED),
    SIGN(Where.DESCRIBED),
    RAND(Where.TRANSACTIONS),
    UUID(Where.TRANSACTIONS),
    LAST_INSERT_ID(Where.TRANSACTIONS),

    NOW(Where.DESCRIBED, "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP", "UTC_TIMESTAMP"),
    CURDATE(Where.DESCRIBED, "CURRENT_DATE", "UTC_DATE"),
    DATE(Where.DESCRIBED),
    YEAR(Where.DESCRIBED),
    MONTH(Where.DESCRIBED),
    DAY(Where.DESCRIBED, "DAYOFMONTH"),
    HOUR(Where.DESCRIBED),
    MINUTE(Where.DESCRIBED),
    SECOND(Where.DESCRIBED),
    DAYOFWEEK(Where.DESCRIBED),
    WEEKDAY(Where.DESCRIBED),
    DAYOFYEAR(Where.DESCRIBED),
    QUARTER(Where.DESCRIBED),
    WEEK(Where.DESCRIBED),
    YEARWEEK(Where.DESCRIBED),
    WEEKOFYEAR(Where.DESCRIBED),
    DAYNAME(Where.DESCRIBED),
    MONTHNAME(Where.DESCRIBED),
    LAST_DAY(Where.DESCRIBED),
    TO_DAYS(Where.DESCRIBED),
    DATEDIFF(Where.DESCRIBED),
    TIME(Where.DESCRIBED),
    UNIX_TIMESTAMP(Where.DESCRIBED),
    FROM_UNIXTIME(Where.DESCRIBED),
    DATE_FORMAT(Where.DESCRIBED),

    /// `CAST(x AS SIGNED)` and so on, with sizes as arguments.
    AS_SIGNED(Where.DESCRIBED),
    AS_UNSIGNED(Where.DESCRIBED),
    AS_CHAR(Where.DESCRIBED),
    AS_DECIMAL(Where.DESCRIBED),
    AS_DATETIME(Where.DESCRIBED),

    /// `&`, `|`, `^`, `<<` and `>>` of whole numbers, which are 64 bits to them.
    BITS_AND(Where.DESCRIBED),
    BITS_OR(Where.DESCRIBED),
    BITS_XOR(Where.DESCRIBED),
    BITS_LEFT(Where.DESCRIBED),
    BITS_RIGHT(Where.DESCRIBED),
    BITS_NOT(Where.DESCRIBED),

    /// `TIMESTAMPDIFF(unit, a, b)`, with the unit as a text before the moments.
    MOMENTS_APART(Where.DESCRIBED),

    /// `DATE '2020-01-01'` and so on.
    OF_DATE(Where.DESCRIBED),
    OF_TIME(Where.DESCRIBED),
    OF_TIMESTAMP(Where.DESCRIBED);

    /// Which statements the tier itself runs that call it.
    public enum Where {
        EVERYWHERE,

        /// Plain reads only where it is known how a server describes what they show.
        DESCRIBED,
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
            if (!function.unnamed()) {
                functions.put(function.name(), function);
            }
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

    /// Whether it has no name, and is written as CAST, or as an operator.
    public boolean unnamed() {
        return ordinal() >= AS_SIGNED.ordinal();
    }

    public boolean aggregate() {
        return aggregate;
    }

    public List<String> otherNames() {
        return otherNames;
    }

    /// Whether it takes no text as a text, nor gives one: a connection's character set and
    /// collation are nothing to it.
    public boolean withoutTexts() {
        return switch (this) {
            case COUNT,
                    SUM,
                    AVG,
                    ABS,
                    FLOOR,
                    CEILING,
                    ROUND,
                    TRUNCATE,
                    MOD,
                    SIGN,
                    NOW,
                    CURDATE,
                    DATE,
                    YEAR,
                    MONTH,
                    DAY,
                    HOUR,
                    MINUTE,
                    SECOND,
                    DAYOFWEEK,
                    WEEKDAY,
                    DAYOFYEAR,
                    QUARTER,
                    WEEK,
                    YEARWEEK,
                    WEEKOFYEAR,
                    LAST_DAY,
                    TO_DAYS,
                    DATEDIFF,
                    TIME,
                    UNIX_TIMESTAMP,
                    AS_SIGNED,
                    AS_UNSIGNED,
                    AS_DECIMAL,
                    AS_DATETIME,
                    BITS_AND,
                    BITS_OR,
                    BITS_XOR,
                    BITS_LEFT,
                    BITS_RIGHT,
                    BITS_NOT,
                    MOMENTS_APART,
                    OF_DATE,
                    OF_TIME,
                    OF_TIMESTAMP ->
                    true;
            default -> false;
        };
    }

    /// Whether each evaluation gives another value, or leaves something behind.
    public boolean byChance() {
        return this == RAND || this == UUID || this == LAST_INSERT_ID;
    }

    /// Whether it tells of the moment at which its statement runs.
    public boolean ofItsMoment() {
        return this == NOW || this == CURDATE || this == UNIX_TIMESTAMP;
    }
}
