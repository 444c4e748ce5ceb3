package org.quiredb.replica.h2.conversion;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.h2.value.ValueDouble;

/// A JSON text as MySQL's type JSON gives it back: members by the length of their keys, then by
/// their bytes, the last of several with one key, a blank behind comma and colon, numbers as 64
/// bits or as doubles, and no escapes but those that there have to be.
///
/// Source: MySQL 8.0 manual, "The JSON Data Type". By example: JsonTextTest. Threads: one.
final class JsonText {
    /// MySQL's own.
    private static final int MAXIMUM_DEPTH = 100;

    private static final String LONGEST = "9".repeat(20);
    private static final BigInteger MOST = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    private static final BigInteger MOST_BELOW_ZERO = BigInteger.ONE.shiftLeft(63);

    private static final Comparator<String> BY_LENGTH_AND_BYTES =
            Comparator.comparing(
                    key -> key.getBytes(StandardCharsets.UTF_8),
                    Comparator.<byte[]>comparingInt(key -> key.length)
                            .thenComparing(Arrays::compareUnsigned));

    /// What is no JSON, and where.
    static final class Invalid extends Exception {
        private static final long serialVersionUID = 1;

        private final int position;
        private final boolean tooDeep;

        Invalid(int position, boolean tooDeep) {
            super("no JSON", null, false, false);
            this.position = position;
            this.tooDeep = tooDeep;
        }

        int position() {
            return position;
        }

        boolean tooDeep() {
            return tooDeep;
        }
    }

    private final String text;
    private int at;

    private JsonText(String text) {
        this.text = text;
    }

    static String of(String text) throws Invalid {
        JsonText json = new JsonText(text);
        StringBuilder shown = new StringBuilder(text.length() + 16);
        json.value(shown, 0);
        json.blanks();
        if (json.at < text.length()) {
            throw json.invalid();
        }
        return shown.toString();
    }

    private Invalid invalid() {
        return new Invalid(at, false);
    }

    private int next() {
        return at < text.length() ? text.charAt(at) : -1;
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean took(char c) {
        blanks();
        if (next() != c) {
            return false;
        }
        at++;
        return true;
    }

    private void value(StringBuilder shown, int depth) throws Invalid {
        blanks();
        switch (next()) {
            case '{' -> object(shown, depth + 1);
            case '[' -> array(shown, depth + 1);
            case '"' -> quote(shown, string());
            case 't' -> word(shown, "true");
            case 'f' -> word(shown, "false");
            case 'n' -> word(shown, "null");
            default -> number(shown);
        }
    }

    private void enter(int depth) throws Invalid {
        if (depth > MAXIMUM_DEPTH) {
            throw new Invalid(at, true);
        }
        at++;
    }

    private void word(StringBuilder shown, String word) throws Invalid {
        if (!text.startsWith(word, at)) {
            throw invalid();
        }
        at += word.length();
        shown.append(word);
    }

    private void array(StringBuilder shown, int depth) throws Invalid {
        enter(depth);
        shown.append('[');
        if (!took(']')) {
            value(shown, depth);
            while (!took(']')) {
                if (!took(',')) {
                    throw invalid();
                }
                shown.append(", ");
                value(shown, depth);
            }
        }
        shown.append(']');
    }

    private void object(StringBuilder shown, int depth) throws Invalid {
        enter(depth);
        Map<String, String> members = new TreeMap<>(BY_LENGTH_AND_BYTES);
        if (!took('}')) {
            member(members, depth);
            while (!took('}')) {
                if (!took(',')) {
                    throw invalid();
                }
                member(members, depth);
            }
        }
        String between = "{";
        for (Map.Entry<String, String> member : members.entrySet()) {
            shown.append(between);
            quote(shown, member.getKey());
            shown.append(": ").append(member.getValue());
            between = ", ";
        }
        shown.append(members.isEmpty() ? "{}" : "}");
    }

    private void member(Map<String, String> members, int depth) throws Invalid {
        blanks();
        if (next() != '"') {
            throw invalid();
        }
        String key = string();
        if (!took(':')) {
            throw invalid();
        }
        StringBuilder shown = new StringBuilder();
        value(shown, depth);
        members.put(key, shown.toString());
    }

    private String string() throws Invalid {
        StringBuilder read = new StringBuilder();
        at++;
        while (next() != '"') {
            int c = next();
            if (c < ' ') { // the end, too
                throw invalid();
            }
            at++;
            read.append(c == '\\' ? escaped() : (char) c);
        }
        at++;
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(read)) { // half a surrogate pair
            throw invalid();
        }
        return read.toString();
    }

    private char escaped() throws Invalid {
        int c = next();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> (char) c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unit();
            default -> throw invalid();
        };
    }

    private char unit() throws Invalid {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            int digit = next() < 0 || next() > 'f' ? -1 : Character.digit(next(), 16);
            if (digit < 0) {
                throw invalid();
            }
            unit = unit * 16 + digit;
            at++;
        }
        return (char) unit;
    }

    private static void quote(StringBuilder shown, String string) {
        shown.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            switch (c) {
                case '"', '\\' -> shown.append('\\').append(c);
                case '\b' -> shown.append("\\b");
                case '\f' -> shown.append("\\f");
                case '\n' -> shown.append("\\n");
                case '\r' -> shown.append("\\r");
                case '\t' -> shown.append("\\t");
                default -> {
                    if (c < ' ') {
                        shown.append("\\u%04x".formatted((int) c));
                    } else {
                        shown.append(c);
                    }
                }
            }
        }
        shown.append('"');
    }

    private String digits() throws Invalid {
        int start = at;
        while (next() >= '0' && next() <= '9') {
            at++;
        }
        if (at == start) {
            throw invalid();
        }
        return text.substring(start, at);
    }

    private void number(StringBuilder shown) throws Invalid {
        int start = at;
        boolean minus = next() == '-';
        if (minus) {
            at++;
        }
        String whole = digits();
        if (whole.length() > 1 && whole.startsWith("0")) {
            at -= whole.length() - 1;
            throw invalid();
        }
        boolean floats = false;
        if (next() == '.') {
            floats = true;
            at++;
            digits();
        }
        if (next() == 'e' || next() == 'E') {
            floats = true;
            exponent();
        }
        BigInteger integer = new BigInteger(whole.length() > LONGEST.length() ? LONGEST : whole);
        if (!floats && integer.compareTo(minus ? MOST_BELOW_ZERO : MOST) <= 0) {
            shown.append(minus && integer.signum() > 0 ? "-" : "").append(integer);
            return;
        }
        double value = Double.parseDouble(text.substring(start, at));
        if (Double.isInfinite(value)) {
            at = start;
            throw invalid();
        }
        boolean belowZero = minus && value == 0; // which H2 does not keep
        String written = belowZero ? "-0.0" : MySqlTexts.of(ValueDouble.get(value));
        boolean pointed = written.indexOf('.') >= 0 || written.indexOf('e') >= 0;
        shown.append(written).append(pointed ? "" : ".0");
    }

    private void exponent() throws Invalid {
        at++;
        if (next() == '-' || next() == '+') {
            at++;
        }
        digits();
    }
}
