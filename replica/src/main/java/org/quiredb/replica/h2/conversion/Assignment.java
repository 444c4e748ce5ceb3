package org.quiredb.replica.h2.conversion;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.h2.value.Value;
import org.h2.value.ValueBigint;
import org.h2.value.ValueDate;
import org.h2.value.ValueNumeric;
import org.h2.value.ValueTimestamp;
import org.h2.value.ValueVarbinary;
import org.h2.value.ValueVarchar;
import org.h2.value.ValueVarcharIgnoreCase;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.h2.value.DatesAndTimes;
import org.quiredb.replica.h2.value.NegativeZero;
import org.quiredb.replica.h2.value.Uuids;
import org.quiredb.replica.h2.value.Values;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.replica.layout.EnumTexts;
import org.quiredb.replica.layout.SingleByteSets;

/// How a column takes a value: MySQL's conversions in strict mode, and its errors.
///
/// A fraction of a second that the column has no digits for is cut off, as MariaDB does; MySQL
/// rounds it.
public final class Assignment {
    private static final Pattern NUMBER =
            Pattern.compile("[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d{1,3})?");
    private static final Pattern BEGINS_WITH_DIGIT =
            Pattern.compile("[+-]?\\.?\\d.*", Pattern.DOTALL);
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final int DAY_LENGTH = "yyyy-MM-dd".length();
    private static final BigDecimal LARGEST_YEAR = BigDecimal.valueOf(2155);

    /// As WKB numbers them, from 1 on. A column of the last one, of collections, takes any.
    private static final List<String> GEOMETRY_KINDS =
            List.of(
                    "point",
                    "linestring",
                    "polygon",
                    "multipoint",
                    "multilinestring",
                    "multipolygon");

    private static final int GEOMETRY_KINDS_IN_ALL = 7;

    /// Behind the SRID and the order of bytes.
    private static final int GEOMETRY_KIND = 5;

    private static final int LEAST_GEOMETRY = 13;

    private final ColumnDefinition column;
    private final String path;
    private final ColumnType type;
    private final @Nullable EnumTexts members;
    private final boolean names;

    /// @param table its schema and name, quoted
    /// @param names whether rows are known by the column, among others
    public Assignment(String table, ColumnDefinition column, ColumnType type, boolean names) {
        this.column = column;
        this.path = table + ".`" + column.name() + "`";
        this.type = type;
        this.members = EnumTexts.of(column);
        this.names = names;
    }

    /// @param given anything but NULL
    /// @param held whether the backend's column has it, so that its character set does
    /// @throws QuireException whose message does not say in which row
    public Value take(Value given, boolean held) {
        return switch (type.storage()) {
            case INTEGER -> integer(given);
            case DECIMAL, BIG_DECIMAL ->
                    type.mysql() == MySqlType.BIT
                            ? integer(given)
                            : decimal(
                                    type.mysql() == MySqlType.LONGLONG
                                            ? whole(given)
                                            : number(given));
            case FLOAT, DOUBLE -> floating(given);
            case DATE -> ValueDate.fromDateValue(moment(given).getDateValue());
            case TIMESTAMP -> timestamp(moment(given));
            case TIME -> time(given);
            case STRING, FOLDED_STRING ->
                    members == null ? string(text(given), held) : member(given, held);
            case BYTES -> type.mysql() == MySqlType.GEOMETRY ? geometry(given, held) : bytes(given);
            case UUID -> uuid(given);
        };
    }

    /// Whether a time of day is lost that a DATE does not keep.
    ///
    /// @param given what {@link #take} has taken
    public boolean cuts(Value given) {
        boolean may =
                type.mysql() == MySqlType.DATE
                        && given.getValueType() != Value.DATE
                        && !(Values.isText(given.getType())
                                && given.getString().length() <= DAY_LENGTH);
        return may && moment(given).getTimeNanos() != 0;
    }

    private Value integer(Value given) {
        if (type.mysql() == MySqlType.YEAR) {
            return ValueBigint.get(year(given));
        }
        if (type.mysql() == MySqlType.BIT && given.getValueType() == Value.VARBINARY) {
            return bits(given.getBytesNoCopy());
        }
        if (type.mysql() == MySqlType.BIT && Values.isText(given.getType())) {
            byte[] bytes = given.getString().getBytes(StandardCharsets.UTF_8);
            if (bytes.length > given.getString().length()) {
                throw unsupported(); // a column's own character set has other bytes
            }
            return bits(bytes);
        }
        return inRange(type.mysql() == MySqlType.BIT ? wholeBits(given) : whole(given));
    }

    /// Of a negative integer the server keeps its 64 bits, where there are as many.
    private BigDecimal wholeBits(Value given) {
        BigDecimal number = floats(given) ? cut(given) : whole(given);
        if (given.getValueType() == Value.NUMERIC) {
            if (number.signum() < 0 || number.toBigInteger().bitLength() > Long.SIZE) {
                throw outOfRange();
            }
        } else if (number.signum() < 0 && number.toBigInteger().bitLength() < Long.SIZE) {
            return number.add(new BigDecimal(BigInteger.ONE.shiftLeft(Long.SIZE)));
        }
        return number;
    }

    private Value bits(byte[] bytes) {
        return inRange(new BigDecimal(new BigInteger(1, bytes)));
    }

    private static boolean floats(Value given) {
        return given.getValueType() == Value.DOUBLE || given.getValueType() == Value.REAL;
    }

    /// Bits and years of a number that floats, and members of any, do not count what is behind its
    /// point.
    private BigDecimal cut(Value given) {
        return number(given).setScale(0, RoundingMode.DOWN);
    }

    private BigDecimal whole(Value given) {
        int kind = given.getValueType();
        if (floats(given)) {
            return new BigDecimal(Math.rint(given.getDouble()));
        }
        BigDecimal number = number(given);
        BigDecimal rounded = number.setScale(0, RoundingMode.HALF_UP);
        boolean decimal = kind == Value.NUMERIC; // -0.4 is below 0 then, as a text it is not
        return decimal && number.signum() < 0 && rounded.signum() == 0 ? number : rounded;
    }

    private Value inRange(BigDecimal number) {
        checkRange(number);
        return type.storage() == ColumnType.Storage.INTEGER
                ? ValueBigint.get(number.longValue())
                : ValueNumeric.get(number);
    }

    private void checkRange(BigDecimal number) {
        BigDecimal minimum = type.minimum();
        BigDecimal maximum = type.maximum();
        if ((minimum != null && number.compareTo(minimum) < 0)
                || (maximum != null && number.compareTo(maximum) > 0)) {
            throw type.mysql() == MySqlType.BIT ? tooLong() : outOfRange();
        }
    }

    private Value decimal(BigDecimal given) {
        BigDecimal number = given.setScale(type.decimals(), RoundingMode.HALF_UP);
        checkRange(given.signum() < 0 ? given : number);
        int integral = type.precision() - type.decimals();
        if (number.precision() - number.scale() > integral && number.signum() != 0) {
            throw outOfRange();
        }
        return ValueNumeric.get(number);
    }

    private Value floating(Value given) {
        double number = floats(given) ? NegativeZero.number(given) : number(given).doubleValue();
        if (number == 0 && negative(given)) {
            number = -0.0;
        }
        BigDecimal minimum = type.minimum();
        if (number < 0 && minimum != null && minimum.signum() == 0) {
            throw outOfRange(); // also where it would be rounded to 0
        }
        if (type.decimals() < ColumnMetadata.UNSPECIFIED_DECIMALS) {
            number = rounded(number, type.decimals());
        }
        boolean single = type.storage() == ColumnType.Storage.FLOAT;
        if ((single && Math.abs(number) > Float.MAX_VALUE) || !Double.isFinite(number)) {
            throw outOfRange();
        }
        checkFloating(number);
        return single ? NegativeZero.ofSingle((float) number) : NegativeZero.ofDouble(number);
    }

    /// The bounds are numbers that float, too: 99.9 is not above that of FLOAT(3,1).
    private void checkFloating(double number) {
        BigDecimal minimum = type.minimum();
        BigDecimal maximum = type.maximum();
        if ((minimum != null && number < minimum.doubleValue())
                || (maximum != null && number > maximum.doubleValue())) {
            throw outOfRange();
        }
    }

    private static boolean negative(Value zero) {
        return Values.isText(zero.getType()) && zero.getString().strip().startsWith("-");
    }

    /// As the server rounds it, in numbers that float.
    private static double rounded(double number, int decimals) {
        double unit = Math.pow(10, decimals);
        double floor = Math.floor(number);
        return floor + Math.rint((number - floor) * unit) / unit;
    }

    private BigDecimal number(Value given) {
        return switch (given.getValueType()) {
            case Value.BOOLEAN -> given.getBoolean() ? BigDecimal.ONE : BigDecimal.ZERO;
            case Value.TINYINT, Value.SMALLINT, Value.INTEGER, Value.BIGINT ->
                    BigDecimal.valueOf(given.getLong());
            case Value.NUMERIC, Value.DECFLOAT -> given.getBigDecimal();
            case Value.REAL -> new BigDecimal(Float.toString(given.getFloat()));
            case Value.DOUBLE -> BigDecimal.valueOf(given.getDouble());
            case Value.VARCHAR, Value.VARCHAR_IGNORECASE, Value.CHAR -> number(given.getString());
            default -> throw unsupported();
        };
    }

    private BigDecimal number(String text) {
        String stripped = text.strip();
        if (NUMBER.matcher(stripped).matches()) {
            return new BigDecimal(stripped.endsWith(".") ? stripped + "0" : stripped);
        }
        if (BEGINS_WITH_DIGIT.matcher(stripped).matches()) {
            throw truncated();
        }
        throw incorrect(
                type.storage() == ColumnType.Storage.INTEGER || type.mysql() == MySqlType.LONGLONG
                        ? "integer"
                        : type.mysql() == MySqlType.NEWDECIMAL ? "decimal" : "double",
                text,
                ErrorCode.INCORRECT_VALUE);
    }

    /// Of one or two digits, from 70 on of the last century; a text of zeroes is 2000.
    private int year(Value given) {
        boolean text = Values.isText(given.getType());
        BigDecimal whole = floats(given) ? cut(given) : whole(given);
        boolean below = floats(given) ? given.getDouble() < 0 : whole.signum() < 0;
        if (below || whole.compareTo(LARGEST_YEAR) > 0) {
            throw outOfRange();
        }
        int number = whole.intValue();
        int year = number;
        if (number < 100 && (number > 0 || (text && given.getString().length() < 4))) {
            year = number < 70 ? 2000 + number : 1900 + number;
        }
        if (year != 0 && year < 1901) {
            throw outOfRange();
        }
        return year;
    }

    private ValueTimestamp moment(Value given) {
        return switch (given.getValueType()) {
            case Value.DATE ->
                    ValueTimestamp.fromDateValueAndNanos(((ValueDate) given).getDateValue(), 0);
            case Value.TIMESTAMP -> (ValueTimestamp) given;
            case Value.TIMESTAMP_TZ -> {
                var zoned = (org.h2.value.ValueTimestampTimeZone) given;
                yield ValueTimestamp.fromDateValueAndNanos(
                        zoned.getDateValue(), zoned.getTimeNanos());
            }
            case Value.VARCHAR, Value.VARCHAR_IGNORECASE, Value.CHAR -> moment(given.getString());
            case Value.TINYINT, Value.SMALLINT, Value.INTEGER, Value.BIGINT -> {
                if (!isMoment(given.getLong())) {
                    throw unsupported();
                }
                yield moment(given.getString());
            }
            default -> throw unsupported();
        };
    }

    /// Numbers of other lengths are no moments, or leave out the century.
    private static boolean isMoment(long number) {
        boolean day = number >= 10000101L && number <= 99991231L;
        return day || (number >= 10000101000000L && number <= 99991231235959L);
    }

    private ValueTimestamp moment(String text) {
        ValueTimestamp parsed = DatesAndTimes.parseAssigned(text);
        if (parsed == null) {
            if (!DatesAndTimes.isDate(text.strip()) && beginsWithNumber(text)) {
                throw unsupported();
            }
            throw incorrect(
                    type.mysql() == MySqlType.DATE ? "date" : "datetime",
                    text,
                    ErrorCode.INCORRECT_DATETIME);
        }
        return parsed;
    }

    /// A server takes many marks between the parts, years of two digits and more.
    private static boolean beginsWithNumber(String text) {
        String stripped = text.strip();
        return !stripped.isEmpty() && (stripped.charAt(0) == '-' || isDigit(stripped.charAt(0)));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private Value timestamp(ValueTimestamp moment) {
        ValueTimestamp cut =
                ValueTimestamp.fromDateValueAndNanos(
                        moment.getDateValue(), cut(moment.getTimeNanos()));
        if (type.mysql() == MySqlType.TIMESTAMP && !DatesAndTimes.isTimestamp(cut)) {
            throw incorrect("datetime", given(moment), ErrorCode.INCORRECT_DATETIME);
        }
        return cut;
    }

    private static String given(Value moment) {
        return moment.getString();
    }

    private long cut(long nanos) {
        long unit = NANOS_PER_SECOND;
        for (int i = 0; i < type.decimals(); i++) {
            unit /= 10;
        }
        return nanos / unit * unit;
    }

    private Value time(Value given) {
        return switch (given.getValueType()) {
            case Value.INTERVAL_HOUR_TO_SECOND -> cutTime(DatesAndTimes.micros(given));
            case Value.TIMESTAMP -> cutTime(((ValueTimestamp) given).getTimeNanos() / 1000);
            case Value.VARCHAR,
                    Value.VARCHAR_IGNORECASE,
                    Value.CHAR,
                    Value.TINYINT,
                    Value.SMALLINT,
                    Value.INTEGER,
                    Value.BIGINT,
                    Value.NUMERIC -> {
                Value parsed = DatesAndTimes.parseTime(given.getString());
                if (parsed == null) {
                    if (beginsWithNumber(given.getString())) {
                        throw unsupported();
                    }
                    throw incorrect("time", given.getString(), ErrorCode.INCORRECT_DATETIME);
                }
                yield cutTime(DatesAndTimes.micros(parsed));
            }
            default -> throw unsupported();
        };
    }

    private Value cutTime(long micros) {
        return DatesAndTimes.time(cut(micros * 1000) / 1000);
    }

    private Value member(Value given, boolean held) {
        EnumTexts of = Objects.requireNonNull(members);
        boolean none = Values.isText(given.getType()) && given.getString().isEmpty();
        if (none && !of.set() && !of.texts().contains("")) { // an ENUM without a member shows so
            if (!held || names || of.none() == null) { // else backends store it, and find it
                throw Errors.unsupported("none of the members of the ENUM " + column.name());
            }
            return folded("");
        }
        String canonical =
                Values.isText(given.getType())
                        ? of.canonical(given.getString())
                        : numbered(of, cut(given));
        if (canonical == null) {
            boolean text = Values.isText(given.getType());
            throw of.hides() || (text && of.mayBeMember(given.getString()))
                    ? unsupported() // the backend tells of which member it is
                    : truncated();
        }
        return folded(canonical);
    }

    private static @Nullable String numbered(EnumTexts of, BigDecimal number) {
        return number.signum() < 0 || number.toBigInteger().bitLength() > Long.SIZE
                ? null
                : of.numbered(number.longValue());
    }

    private Value string(String text, boolean held) {
        if (!held) {
            checkCharacters(text);
        }
        if (type.mysql() == MySqlType.BLOB) {
            if (bytes(text) > type.length() / 4) {
                throw tooLong();
            }
            return folded(text);
        }
        int most = (int) (type.length() / 4);
        String kept = type.mysql() == MySqlType.STRING ? withoutSpaces(text) : text;
        if (kept.codePointCount(0, kept.length()) > most) {
            String fitting = kept.substring(0, kept.offsetByCodePoints(0, most));
            if (!withoutSpaces(kept.substring(fitting.length())).isEmpty()) {
                throw tooLong();
            }
            kept = fitting;
        }
        return folded(kept);
    }

    private String text(Value given) {
        if (given.getValueType() != Value.VARBINARY) {
            return MySqlTexts.of(given);
        }
        try {
            return charset()
                    .newDecoder()
                    .decode(ByteBuffer.wrap(given.getBytesNoCopy()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw incorrect(
                    "string",
                    HexFormat.of()
                            .withPrefix("\\x")
                            .withUpperCase()
                            .formatHex(given.getBytesNoCopy()),
                    ErrorCode.INCORRECT_VALUE);
        }
    }

    /// In which bytes without a character set are a text of the column's.
    private Charset charset() {
        String set = column.characterSet() == null ? "utf8mb4" : column.characterSet();
        return switch (set.toLowerCase(Locale.ROOT)) {
            case "utf8mb4", "utf8", "utf8mb3" -> StandardCharsets.UTF_8;
            case "latin1" -> Charset.forName("windows-1252");
            case "ascii" -> StandardCharsets.US_ASCII;
            default -> throw Errors.unsupported("bytes as a text in " + set);
        };
    }

    private int bytes(String text) {
        String set = column.characterSet() == null ? "utf8mb4" : column.characterSet();
        if (set.startsWith("utf16") || set.equals("ucs2")) {
            return text.length() * 2;
        }
        if (set.equals("utf32")) {
            return text.length() * 4;
        }
        return text.length() * 3L <= type.length() / 4
                ? text.length()
                : text.getBytes(StandardCharsets.UTF_8).length;
    }

    static String withoutSpaces(String text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == ' ') {
            end--;
        }
        return text.substring(0, end);
    }

    private void checkCharacters(String text) {
        String set = column.characterSet() == null ? "utf8mb4" : column.characterSet();
        boolean has =
                switch (set.toLowerCase(Locale.ROOT)) {
                    case "utf8mb4", "utf16", "utf16le", "utf32" -> true;
                    case "utf8", "utf8mb3", "ucs2" ->
                            text.chars().noneMatch(c -> Character.isSurrogate((char) c));
                    case "latin1" -> SingleByteSets.isLatin1(text);
                    case "ascii" -> SingleByteSets.isAscii(text);
                    default -> {
                        if (set.equals("swe7") || !SingleByteSets.isAscii(text)) {
                            throw Errors.unsupported("characters of " + set);
                        }
                        yield true;
                    }
                };
        if (!has) {
            throw new QuireException(
                    ErrorCode.INCORRECT_VALUE,
                    "Incorrect string value: '" + text + "' for column " + path);
        }
    }

    private Value folded(String text) {
        return type.storage() == ColumnType.Storage.FOLDED_STRING
                ? ValueVarcharIgnoreCase.get(text)
                : ValueVarchar.get(text);
    }

    private Value bytes(Value given) {
        byte[] bytes =
                switch (given.getValueType()) {
                    case Value.VARBINARY -> given.getBytesNoCopy();
                    case Value.UUID -> Uuids.bytes(given);
                    default -> MySqlTexts.of(given).getBytes(StandardCharsets.UTF_8);
                };
        if (bytes.length > type.length()) {
            throw tooLong();
        }
        boolean padded = type.mysql() == MySqlType.STRING && bytes.length < type.length();
        return ValueVarbinary.getNoCopy(padded ? Arrays.copyOf(bytes, (int) type.length()) : bytes);
    }

    /// MariaDB looks at the beginning alone. What it would make a geometry of, or refuse, it is
    /// asked about.
    private Value geometry(Value given, boolean held) {
        byte[] bytes =
                switch (given.getValueType()) {
                    case Value.VARBINARY -> given.getBytesNoCopy();
                    case Value.VARCHAR -> given.getString().getBytes(StandardCharsets.UTF_8);
                    default -> throw unsupported();
                };
        if (!held && !isGeometry(bytes)) {
            throw unsupported();
        }
        return ValueVarbinary.getNoCopy(bytes);
    }

    private boolean isGeometry(byte[] bytes) {
        if (bytes.length < LEAST_GEOMETRY) {
            return false;
        }
        int kind = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(GEOMETRY_KIND);
        int only = GEOMETRY_KINDS.indexOf(column.type().toLowerCase(Locale.ROOT)) + 1;
        return kind >= 1 && kind <= GEOMETRY_KINDS_IN_ALL && (only == 0 || only == kind);
    }

    private Value uuid(Value given) {
        return switch (given.getValueType()) {
            case Value.UUID -> given;
            case Value.VARCHAR, Value.VARCHAR_IGNORECASE, Value.CHAR ->
                    uuid(Uuids.ofText(given.getString()), given.getString());
            case Value.VARBINARY -> {
                byte[] bytes = given.getBytesNoCopy();
                Value uuid = Uuids.ofBytes(bytes);
                if (uuid == null && bytes.length == Uuids.BYTES) {
                    throw unsupported(); // MariaDB keeps these, and shows others for them
                }
                yield uuid(uuid, new String(bytes, StandardCharsets.ISO_8859_1));
            }
            default -> throw unsupported();
        };
    }

    private Value uuid(@Nullable Value uuid, String given) {
        if (uuid == null) {
            throw incorrect("uuid", given, ErrorCode.INCORRECT_DATETIME);
        }
        return uuid;
    }

    private QuireException outOfRange() {
        return new QuireException(
                ErrorCode.OUT_OF_RANGE, "Out of range value for column '" + column.name() + "'");
    }

    private QuireException tooLong() {
        return new QuireException(
                ErrorCode.DATA_TOO_LONG, "Data too long for column '" + column.name() + "'");
    }

    private QuireException truncated() {
        return new QuireException(
                ErrorCode.DATA_TRUNCATED, "Data truncated for column '" + column.name() + "'");
    }

    private QuireException incorrect(String kind, String text, ErrorCode code) {
        return new QuireException(
                code, "Incorrect " + kind + " value: '" + text + "' for column " + path);
    }

    private QuireException unsupported() {
        return Errors.unsupported("a value of another kind for column " + column.name());
    }
}
