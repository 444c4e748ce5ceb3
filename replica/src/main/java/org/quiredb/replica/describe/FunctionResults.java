package org.quiredb.replica.describe;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.sql.tree.Function;

/// The table: what each function's result is described as, given its arguments.
///
/// Null for arguments that it is not known for. Longer than most: a case for each function.
public final class FunctionResults {
    private FunctionResults() {}

    public static @Nullable Described of(Function function, List<Argument> arguments) {
        if (arguments.isEmpty()) {
            return ofNothing(function);
        }
        List<Described> all = arguments.stream().map(Argument::described).toList();
        boolean nullable = all.stream().anyMatch(Described::nullable);
        Argument first = arguments.getFirst();
        Described of = first.described();
        @Nullable Argument second = arguments.size() > 1 ? arguments.get(1) : null;
        @Nullable Argument third = arguments.size() > 2 ? arguments.get(2) : null;
        return switch (function) {
            case COUNT, SUM, MIN, MAX, AVG -> null; // are aggregates
            case COALESCE -> Choices.of(all, nullable);
            case IFNULL -> second == null ? null : Choices.of(all, second.described().nullable());
            case NULLIF -> alone(of);
            case IF -> third == null ? null : Choices.of(all.subList(1, 3), nullable);
            case GREATEST, LEAST -> extreme(all, nullable);
            case LOWER, UPPER -> DescribedTexts.bounded(List.of(of), of.characters());
            case TRIM, LTRIM, RTRIM, REVERSE, SUBSTRING_INDEX ->
                    DescribedTexts.made(List.of(of), of.characters(), true);
            case CONCAT -> DescribedTexts.concatenated(all, 0);
            case CONCAT_WS ->
                    DescribedTexts.concatenated(
                            all, of.characters() * Math.max(0, arguments.size() - 3));
            case SUBSTRING ->
                    second == null || !fits(second)
                            ? null
                            : DescribedTexts.part(
                                    of,
                                    second.number(),
                                    third != null,
                                    third == null ? null : third.number());
            case LEFT, RIGHT ->
                    second == null || !fits(second)
                            ? null
                            : DescribedTexts.side(of, second.number());
            case REPLACE ->
                    third == null
                            ? null
                            : DescribedTexts.replaced(
                                    of,
                                    java.util.Objects.requireNonNull(second).described(),
                                    third.described());
            case LPAD, RPAD -> third == null ? null : padded(all, second);
            case REPEAT -> second == null ? null : repeated(of, second);
            case SPACE -> repeated(DescribedTexts.plain(1, Described.NO_DECIMALS), first);
            case ELT -> chosen(all.subList(1, all.size()));
            case HEX -> DescribedTexts.hex(of);
            case UNHEX ->
                    of.text() && of.bytes() < Described.MOST_BYTES / 4
                            ? Described.ofBytes(
                                    DescribedTexts.type((1 + of.bytes()) / 2),
                                    (1 + of.bytes()) / 2,
                                    0,
                                    true)
                            : null;
            case MD5 -> DescribedTexts.plain(32, Described.NO_DECIMALS);
            case SHA1 -> DescribedTexts.plain(40, Described.NO_DECIMALS);
            case SHA2 -> second == null ? null : digest(second);
            case DATE_FORMAT ->
                    second == null || second.text() == null
                            ? null
                            : DescribedTexts.plain(Formats.length(second.text()), 0);
            case CHAR_LENGTH, LENGTH -> counted(10, nullable);
            case INSTR, LOCATE, REGEXP_INSTR -> counted(11, nullable);
            case ASCII, FIND_IN_SET -> counted(3, nullable);
            case FIELD -> counted(3, false);
            case CRC32 -> Described.integer(MySqlType.LONG, 10, true, nullable);
            case INET_ATON -> Described.integer(MySqlType.LONGLONG, 21, true, true);
            case BITS_AND, BITS_OR, BITS_XOR, BITS_LEFT, BITS_RIGHT, BITS_NOT ->
                    Described.integer(MySqlType.LONGLONG, 21, true, nullable);
            case ABS -> Arithmetic.absolute(of);
            case FLOOR -> Rounding.whole(of, false);
            case CEILING -> Rounding.whole(of, true);
            case ROUND, TRUNCATE ->
                    Rounding.to(
                            of,
                            second == null ? null : second.number(),
                            second != null,
                            function == Function.TRUNCATE,
                            nullable);
            case MOD -> second == null ? null : Arithmetic.remainder(of, second.described());
            case SIGN -> counted(2, nullable);
            case RAND, UUID, LAST_INSERT_ID, CURDATE -> null; // with an argument
            case NOW -> now(first);
            case DATE, LAST_DAY -> Described.moment(MySqlType.DATE, 0, true);
            case YEAR -> part(4);
            case MONTH, DAY, HOUR, MINUTE, SECOND -> part(2);
            case DAYOFWEEK, WEEKDAY, QUARTER -> part(1);
            case DAYOFYEAR -> part(3);
            case TO_DAYS -> part(6);
            case WEEK, WEEKOFYEAR -> part(2);
            case YEARWEEK -> part(6);
            case DAYNAME, MONTHNAME -> DescribedTexts.plain(9, 0);
            case TIME ->
                    of.moment() && of.decimals() == 0
                            ? Described.moment(MySqlType.TIME, 0, true)
                            : null;
            case MOMENTS_APART -> Described.integer(MySqlType.LONGLONG, 21, false, true);
            case OF_DATE -> Described.moment(MySqlType.DATE, 0, false);
            case OF_TIME -> Described.moment(MySqlType.TIME, 0, false);
            case OF_TIMESTAMP -> Described.moment(MySqlType.DATETIME, 0, false);
            case DATEDIFF -> counted(8, true);
            case UNIX_TIMESTAMP ->
                    of.moment() && of.decimals() == 0
                            ? Described.integer(MySqlType.LONGLONG, 17, false, true)
                            : null;
            case AS_SIGNED, AS_UNSIGNED, AS_CHAR, AS_DECIMAL, AS_DATETIME ->
                    Casting.of(function, first, second, third);
            case FROM_UNIXTIME ->
                    second == null && of.integer()
                            ? Described.moment(MySqlType.DATETIME, 0, true)
                            : null;
        };
    }

    private static @Nullable Described ofNothing(Function function) {
        return switch (function) {
            case NOW -> Described.moment(MySqlType.DATETIME, 0, false);
            case CURDATE -> Described.moment(MySqlType.DATE, 0, false);
            case UNIX_TIMESTAMP -> Described.integer(MySqlType.LONGLONG, 17, false, true);
            default -> null;
        };
    }

    private static Described counted(long length, boolean nullable) {
        return Described.integer(MySqlType.LONG, length, false, nullable);
    }

    /// Of a moment: the length has no sign.
    private static Described part(int digits) {
        return Described.integer(MySqlType.LONG, digits, false, true, digits);
    }

    private static @Nullable Described now(Argument digits) {
        Long number = digits.number();
        return number == null || number < 0 || number > 6
                ? null
                : Described.moment(MySqlType.DATETIME, number.intValue(), false);
    }

    /// As it is, or NULL.
    static Described alone(Described of) {
        return of.text() && of.decimals() == 0
                ? of.withType(of.type(), of.bytes(), Described.NO_DECIMALS).with(true)
                : of.with(true);
    }

    private static @Nullable Described extreme(List<Described> all, boolean nullable) {
        Described one = Choices.of(all, nullable);
        if (one != null && one.floating()) {
            return Described.floating(
                    MySqlType.DOUBLE, Digits.floating(one.decimals()), one.decimals(), nullable);
        }
        return one == null || one.text() ? null : one;
    }

    /// A constant that is no integer is rounded by rules of its own.
    private static boolean fits(Argument number) {
        return !number.fixed() || number.number() != null;
    }

    private static @Nullable Described padded(List<Described> all, @Nullable Argument length) {
        if (length == null || !fits(length)) {
            return null;
        }
        List<Described> texts = List.of(all.get(0), all.get(2));
        Long characters = length.number();
        return characters == null
                ? DescribedTexts.bounded(texts, DescribedTexts.MOST_BYTES)
                : DescribedTexts.bounded(
                        texts, Math.clamp(characters, 0, DescribedTexts.MOST_BYTES));
    }

    private static @Nullable Described repeated(Described of, Argument times) {
        if (!fits(times)) {
            return null;
        }
        Long number = times.number();
        return DescribedTexts.bounded(
                List.of(of),
                number == null
                        ? DescribedTexts.MOST_BYTES
                        : of.characters() * Math.clamp(number, 0, DescribedTexts.MOST_BYTES));
    }

    private static @Nullable Described chosen(List<Described> texts) {
        List<Described> there = new ArrayList<>();
        long longest = 0;
        for (Described text : texts) {
            there.add(text);
            longest = Math.max(longest, text.characters());
        }
        return there.isEmpty() ? null : DescribedTexts.made(there, longest, true);
    }

    private static @Nullable Described digest(Argument bits) {
        Long size = bits.number();
        if (size == null) {
            return bits.fixed() ? null : DescribedTexts.plain(128, Described.NO_DECIMALS);
        }
        return switch (size.intValue()) {
            case 0, 224, 256, 384, 512 ->
                    DescribedTexts.plain(size == 0 ? 64 : size / 4, Described.NO_DECIMALS);
            default -> null;
        };
    }
}
