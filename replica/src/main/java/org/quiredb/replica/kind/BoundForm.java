package org.quiredb.replica.kind;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.h2.value.DatesAndTimes;
import org.quiredb.replica.h2.value.Uuids;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.replica.layout.SingleByteSets;

/// What a bound text has to look like for H2 and MySQL to take it for the same date, time or
/// number, or for MySQL to take it beside a column of fewer characters; and what bound bytes have
/// to be beside a text.
///
/// Threads: any.
public record BoundForm(int parameter, Form form) {
    public enum Form {
        DATE,
        TIME,
        NUMBER,
        YEAR,
        LATIN1,
        ASCII,
        OTHER_CHARACTERS,
        CHARACTERS,
        UUID,

        /// Patterns for H2: so many `%`, a last one not counted, with which it is done at once.
        ONE_SEARCH,
        TWO_SEARCHES,
        THREE_SEARCHES;

        private static final double MOST_STEPS = 1e9; // seconds
        private static final int CHARACTER_BYTES = 4;

        /// How many may share a text of this type.
        static Form searchIn(@Nullable ColumnType column) {
            if (column == null
                    || (column.mysql() != MySqlType.VAR_STRING
                            && column.mysql() != MySqlType.VARCHAR
                            && column.mysql() != MySqlType.STRING)) {
                return ONE_SEARCH;
            }
            double characters = (double) column.length() / CHARACTER_BYTES;
            return characters * characters > MOST_STEPS
                    ? ONE_SEARCH
                    : characters * characters * characters > MOST_STEPS
                            ? TWO_SEARCHES
                            : THREE_SEARCHES;
        }

        /// Whether it is nothing to plans of our own, which pass over a text once.
        public boolean ofSearches() {
            return this == ONE_SEARCH || this == TWO_SEARCHES || this == THREE_SEARCHES;
        }

        private boolean allows(String pattern) {
            int end = pattern.length();
            while (end > 0 && pattern.charAt(end - 1) == '%') {
                end--;
            }
            long searches = pattern.chars().limit(end).filter(c -> c == '%').count();
            return searches <= 1L + ordinal() - ONE_SEARCH.ordinal();
        }
    }

    private static final Pattern TIME = Pattern.compile("-?\\d{1,3}:\\d\\d:\\d\\d(\\.\\d{1,6})?");
    private static final Pattern NUMBER = Pattern.compile("[-+]?\\d{1,15}(\\.\\d{1,15})?");
    private static final Pattern YEAR = Pattern.compile("[1-9]\\d{3}");
    private static final long LEAST_YEAR = 100;

    /// @throws org.quiredb.common.error.QuireException where the value has another form
    public void require(List<SqlValue> values) {
        if (parameter < values.size()) {
            require(form, values.get(parameter));
        }
    }

    /// @throws org.quiredb.common.error.QuireException where the value has another form
    public static void require(Form form, SqlValue value) {
        boolean plain =
                switch (value) {
                    case SqlValue.StringValue(String text) ->
                            switch (form) {
                                case DATE -> DatesAndTimes.isDate(text);
                                case TIME -> TIME.matcher(text).matches();
                                case NUMBER -> NUMBER.matcher(text).matches();
                                case YEAR -> YEAR.matcher(text).matches();
                                case LATIN1 -> SingleByteSets.isLatin1(text) || otherCharacters();
                                case ASCII -> SingleByteSets.isAscii(text) || otherCharacters();
                                case OTHER_CHARACTERS -> SingleByteSets.isAscii(text);
                                case CHARACTERS -> true;
                                case UUID -> Uuids.ofText(text) != null;
                                case ONE_SEARCH, TWO_SEARCHES, THREE_SEARCHES -> form.allows(text);
                            };
                    case SqlValue.BytesValue(byte[] bytes) ->
                            form.ofSearches()
                                    ? form.allows(new String(bytes, StandardCharsets.ISO_8859_1))
                                    : form == Form.UUID
                                            ? Uuids.ofBytes(bytes) != null
                                            : form != Form.CHARACTERS || isUtf8(bytes);
                    case SqlValue.Null _ -> true;
                    case SqlValue.IntegerValue(long number, boolean unsigned) ->
                            form != Form.UUID && (form != Form.YEAR || number >= LEAST_YEAR);
                    case SqlValue.DecimalValue _, SqlValue.DoubleValue _ ->
                            form != Form.YEAR && form != Form.UUID;
                    default -> form != Form.UUID;
                };
        if (!plain) {
            throw Errors.unsupported("a value of this form beside one of kind " + form);
        }
    }

    /// Others are characters of a column's own set, or error 1300.
    private static boolean isUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static boolean otherCharacters() {
        throw new QuireException(
                ErrorCode.ILLEGAL_MIX_OF_COLLATIONS,
                "Illegal mix of collations: a text has characters that are not in the character set of the column beside it");
    }
}
