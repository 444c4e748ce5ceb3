package org.quiredb.replica.sql;

import java.util.List;
import java.util.regex.Pattern;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.sql.SqlValue;

/// What a bound text has to look like for H2 and MySQL to take it for the same date, time or
/// number, or for MySQL to take it beside a column of fewer characters.
///
/// Threads: any.
record BoundForm(int parameter, Form form) {
    enum Form {
        DATE,
        TIME,
        NUMBER,
        YEAR,
        LATIN1,
        ASCII,
        OTHER_CHARACTERS
    }

    private static final Pattern TIME = Pattern.compile("-?\\d{1,3}:\\d\\d:\\d\\d(\\.\\d{1,6})?");
    private static final Pattern NUMBER = Pattern.compile("[-+]?\\d{1,15}(\\.\\d{1,15})?");
    private static final Pattern YEAR = Pattern.compile("[1-9]\\d{3}");
    private static final long LEAST_YEAR = 100;

    /// @throws org.quiredb.common.error.QuireException where the value has another form
    void require(List<SqlValue> values) {
        if (parameter < values.size()) {
            require(form, values.get(parameter));
        }
    }

    /// @throws org.quiredb.common.error.QuireException where the value has another form
    static void require(Form form, SqlValue value) {
        boolean plain =
                switch (value) {
                    case SqlValue.StringValue(String text) ->
                            switch (form) {
                                case DATE -> Moments.isDate(text);
                                case TIME -> TIME.matcher(text).matches();
                                case NUMBER -> NUMBER.matcher(text).matches();
                                case YEAR -> YEAR.matcher(text).matches();
                                case LATIN1 -> Assignment.isLatin1(text) || otherCharacters();
                                case ASCII -> Assignment.isAscii(text) || otherCharacters();
                                case OTHER_CHARACTERS -> Assignment.isAscii(text);
                            };
                    case SqlValue.IntegerValue(long number, boolean unsigned) ->
                            form != Form.YEAR || number >= LEAST_YEAR;
                    default -> true;
                };
        if (!plain) {
            throw Errors.unsupported("a value of this form beside one of kind " + form);
        }
    }

    private static boolean otherCharacters() {
        throw new QuireException(
                ErrorCode.ILLEGAL_MIX_OF_COLLATIONS,
                "Illegal mix of collations: a text has characters that are not in the character set of the column beside it");
    }
}
