package org.quiredb.scheduler.session.state;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// What a client gives for a `?` in a LIMIT: PHP sends texts there, and Node numbers that float. A
/// server makes a whole number of it, and one below zero is none that ends.
public final class LimitValue {
    private static final int MOST_DIGITS = 40;
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

    private LimitValue() {}

    /// Which `?` stand in a LIMIT, or in a FETCH FIRST.
    static Set<Integer> places(Tokens tokens) {
        Set<Integer> places = new HashSet<>();
        int marker = 0;
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.get(i) instanceof Token.Marker) {
                boolean second = tokens.is(i - 1, ',') && tokens.is(i - 3, "LIMIT");
                boolean fetched = tokens.is(i - 1, "FIRST") || tokens.is(i - 1, "NEXT");
                if (tokens.is(i - 1, "LIMIT")
                        || tokens.is(i - 1, "OFFSET")
                        || second
                        || (fetched && tokens.is(i - 2, "FETCH"))) {
                    places.add(marker);
                }
                marker++;
            }
        }
        return Set.copyOf(places);
    }

    /// The values, those of limits as whole numbers.
    static List<SqlValue> in(List<SqlValue> values, Set<Integer> limits) {
        if (limits.isEmpty() || values.isEmpty()) {
            return values;
        }
        List<SqlValue> all = new ArrayList<>(values);
        for (int limit : limits) {
            BigInteger number = number(values.get(limit));
            boolean ends = number.signum() >= 0 && number.compareTo(MOST) < 0;
            all.set(limit, SqlValue.of((ends ? number : MOST).longValueExact()));
        }
        return all;
    }

    /// Whether one is below zero, which EXECUTE does not take.
    public static boolean isNegative(SqlValue value) {
        return number(value).signum() < 0;
    }

    private static BigInteger number(SqlValue value) {
        return switch (value) {
            case SqlValue.IntegerValue(long number, boolean unsigned) ->
                    unsigned
                            ? new BigInteger(Long.toUnsignedString(number))
                            : BigInteger.valueOf(number);
            case SqlValue.DoubleValue(double number) ->
                    Double.isFinite(number)
                            ? new BigDecimal(Math.rint(number)).toBigInteger()
                            : BigInteger.ZERO;
            case SqlValue.DecimalValue(String number) -> beginning(number, true);
            case SqlValue.StringValue(String text) -> beginning(text, false);
            case SqlValue.BytesValue(byte[] text) ->
                    beginning(new String(text, StandardCharsets.ISO_8859_1), false);
            case SqlValue.Null _,
                    SqlValue.DateValue _,
                    SqlValue.DateTimeValue _,
                    SqlValue.TimeValue _ ->
                    BigInteger.ZERO;
        };
    }

    /// Of more digits than any limit has no more is read.
    private static BigInteger beginning(String text, boolean rounds) {
        String number = text.stripLeading();
        boolean negative = number.startsWith("-");
        int from = negative || number.startsWith("+") ? 1 : 0;
        int end = from;
        while (end < number.length() && isDigit(number.charAt(end)) && end < MOST_DIGITS) {
            end++;
        }
        BigInteger whole =
                end == from ? BigInteger.ZERO : new BigInteger(number.substring(from, end));
        boolean up =
                rounds
                        && end + 1 < number.length()
                        && number.charAt(end) == '.'
                        && number.charAt(end + 1) >= '5';
        BigInteger rounded = up ? whole.add(BigInteger.ONE) : whole;
        return negative ? rounded.negate() : rounded;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
