package org.quiredb.scheduler.session.evaluate;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// By which condition a row is found that an INSERT gives constants for its key, which are stored
/// as they stand there, or a new id.
final class StoredKeys {
    private static final Pattern WHOLE_NUMBER = Pattern.compile("^(tiny|small|medium|big|)int\\b");
    private static final Pattern ZERO = Pattern.compile("-? *(['\"]?)0+\\1");
    private static final Pattern LIMITED_TEXT = Pattern.compile("^(?:var)?char\\((\\d+)\\)");

    private StoredKeys() {}

    /// Whether what a column gets can be in no other row: a new number, or NULL.
    static boolean isFree(ColumnDefinition column, Map<String, Tokens> row, long firstId) {
        Tokens given = row.get(column.name().toLowerCase(Locale.ROOT));
        if (column.autoIncrement()) {
            return firstId > 0 && isGenerated(given);
        }
        boolean without = column.defaultExpression() == null && column.generation() == null;
        return column.nullable()
                && (given == null ? without : given.size() == 1 && given.is(0, "NULL"));
    }

    static ColumnDefinition column(TableDefinition table, String name) {
        return table.columns().stream()
                .filter(column -> column.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow();
    }

    /// By NO_AUTO_VALUE_ON_ZERO a zero is one.
    static String behind(String counter, Map<String, Tokens> row, long firstId) {
        String condition = quoted(counter) + " >= " + firstId;
        return isZero(row.get(counter.toLowerCase(Locale.ROOT)))
                ? condition + " OR " + quoted(counter) + " = 0"
                : condition;
    }

    static boolean isGenerated(@Nullable Tokens given) {
        return given == null
                || isZero(given)
                || (given.size() == 1 && (given.is(0, "NULL") || given.is(0, "DEFAULT")));
    }

    private static boolean isZero(@Nullable Tokens given) {
        return given != null && ZERO.matcher(given.text()).matches();
    }

    static Optional<String> keyOf(Map<String, Tokens> row, TableDefinition table) {
        return table.rowKey().flatMap(index -> keyOf(row, table, index));
    }

    /// Empty where it is no constant that is stored as it stands there, or only its beginning
    /// counts.
    static Optional<String> keyOf(
            Map<String, Tokens> row, TableDefinition table, IndexDefinition index) {
        StringJoiner all = new StringJoiner(" AND ", "(", ")");
        for (int i = 0; i < index.columns().size(); i++) {
            ColumnDefinition column = column(table, index.columns().get(i));
            Tokens given = row.get(column.name().toLowerCase(Locale.ROOT));
            if (given == null
                    || index.prefixes().get(i) > 0
                    || (column.autoIncrement() && isGenerated(given))
                    || !isKept(column, given)) {
                return Optional.empty();
            }
            all.add(quoted(column.name()) + " = " + given.text());
        }
        return Optional.of(all.toString());
    }

    private static boolean isKept(ColumnDefinition column, Tokens given) {
        String type = column.type();
        int at = given.is(0, '-') ? 1 : 0;
        if (given.size() != at + 1 || !(given.get(at) instanceof Token.Constant constant)) {
            return false;
        }
        Matcher number = WHOLE_NUMBER.matcher(type);
        boolean whole = number.find();
        return switch (constant.value()) {
            case SqlValue.IntegerValue _ -> whole && isWithin(number.group(1), type, given.text());
            case SqlValue.StringValue(String text) when at == 0 && whole ->
                    isWithin(number.group(1), type, text);
            case SqlValue.StringValue(String text) when at == 0 -> {
                Matcher limited = LIMITED_TEXT.matcher(type);
                yield isSpelt(column, text)
                        && limited.find()
                        && text.codePointCount(0, text.length())
                                <= Integer.parseInt(limited.group(1));
            }
            default -> false;
        };
    }

    /// A mode may have something else stored for what its character set has not.
    private static boolean isSpelt(ColumnDefinition column, String text) {
        String characterSet = String.valueOf(column.characterSet());
        return characterSet.equals("utf8mb4")
                || (characterSet.startsWith("utf8")
                        && text.chars().noneMatch(c -> Character.isSurrogate((char) c)))
                || text.chars().allMatch(c -> c < 0x80);
    }

    private static boolean isWithin(String size, String type, String text) {
        int digits =
                switch (size) {
                    case "tiny" -> 2;
                    case "small" -> 4;
                    case "medium" -> 6;
                    case "big" -> 18;
                    default -> 9;
                };
        boolean negative = text.startsWith("-");
        return text.matches("-?[0-9]+")
                && text.length() <= digits + (negative ? 1 : 0)
                && !(negative && type.contains("unsigned"));
    }

    static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }
}
