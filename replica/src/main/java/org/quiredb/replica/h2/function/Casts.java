package org.quiredb.replica.h2.function;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.h2.util.JSR310Utils;
import org.h2.value.Value;
import org.h2.value.ValueDate;
import org.h2.value.ValueNull;
import org.h2.value.ValueTimestamp;
import org.h2.value.ValueUuid;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.binding.Declarations;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.h2.conversion.MySqlTexts;
import org.quiredb.replica.h2.value.DatesAndTimes;
import org.quiredb.replica.h2.value.Uuids;
import org.quiredb.replica.h2.value.Values;

/// CAST with MySQL's meaning, which H2 calls; public for H2 alone.
///
/// What a server would warn of, for it has to cut or to guess, is not done here.
///
/// Threads: any.
public final class Casts {
    private static final Pattern INTEGER = Pattern.compile("-?\\d{1,18}");
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,30}(\\.\\d{1,30})?");
    private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final int NANOS_OF_A_SECOND = 1_000_000_000;

    private Casts() {}

    static List<String> declarations() {
        return Declarations.of(
                Casts.class, "asSigned asUnsigned asChar asDecimal asDatetime uuidOf");
    }

    public static @Nullable Long asSigned(Value value) {
        return TextFunctions.isNull(value) ? null : whole(value);
    }

    public static @Nullable Long asUnsigned(Value value) {
        if (TextFunctions.isNull(value)) {
            return null;
        }
        long number = whole(value);
        if (number < 0) {
            throw Errors.unsupported("CAST of a negative number to UNSIGNED");
        }
        return number;
    }

    private static long whole(Value value) {
        BigDecimal number =
                switch (value.getValueType()) {
                    case Value.VARCHAR, Value.VARCHAR_IGNORECASE -> of(value, INTEGER);
                    default -> MySqlFunctions.exact(value).setScale(0, RoundingMode.HALF_UP);
                };
        if (number.abs().compareTo(MOST) > 0) {
            throw Errors.unsupported("CAST of such a number");
        }
        return number.longValueExact();
    }

    private static BigDecimal of(Value text, Pattern pattern) {
        String digits = text.getString();
        if (!pattern.matcher(digits).matches()) {
            throw Errors.unsupported("CAST of a text that is no number");
        }
        return new BigDecimal(digits);
    }

    /// @param parts the value, and how many characters it may have
    public static @Nullable String asChar(Value... parts) {
        if (TextFunctions.isNull(parts[0])) {
            return null;
        }
        if (parts[0].getValueType() == Value.VARBINARY) {
            throw Errors.unsupported("CAST of bytes");
        }
        String text = MySqlTexts.of(parts[0]);
        if (parts.length > 1 && text.codePointCount(0, text.length()) > parts[1].getInt()) {
            throw Errors.unsupported("CAST to fewer characters");
        }
        return text;
    }

    /// @param parts the value, the digits and those behind the point
    public static @Nullable BigDecimal asDecimal(Value... parts) {
        if (TextFunctions.isNull(parts[0])) {
            return null;
        }
        int digits = parts.length > 1 ? parts[1].getInt() : 10;
        int decimals = parts.length > 2 ? parts[2].getInt() : 0;
        BigDecimal number =
                Values.isText(parts[0].getType())
                        ? of(parts[0], NUMBER)
                        : MySqlFunctions.exact(parts[0]);
        BigDecimal rounded = number.setScale(decimals, RoundingMode.HALF_UP);
        if (digits < decimals || rounded.precision() > digits) {
            throw Errors.unsupported("CAST of such a number");
        }
        return rounded;
    }

    /// @param parts the moment, and the digits of its second's fraction
    public static Value asDatetime(Value... parts) {
        Value moment = parts[0];
        if (TextFunctions.isNull(moment)) {
            return ValueNull.INSTANCE;
        }
        ValueTimestamp time =
                switch (moment.getValueType()) {
                    case Value.DATE ->
                            ValueTimestamp.fromDateValueAndNanos(
                                    ((ValueDate) moment).getDateValue(), 0);
                    case Value.TIMESTAMP -> (ValueTimestamp) moment;
                    case Value.VARCHAR, Value.VARCHAR_IGNORECASE -> written(moment.getString());
                    default -> throw Errors.unsupported("CAST of such a value to DATETIME");
                };
        int digits = parts.length > 1 ? parts[1].getInt() : 0;
        long unit = NANOS_OF_A_SECOND;
        for (int i = 0; i < digits; i++) {
            unit /= 10;
        }
        boolean zero =
                time.getDateValue() == 0
                        || JSR310Utils.valueToLocalDate(
                                        ValueDate.fromDateValue(time.getDateValue()), null)
                                == null;
        if (digits > 6 || zero || time.getTimeNanos() % unit != 0) {
            throw Errors.unsupported("CAST of such a moment");
        }
        return time;
    }

    private static ValueTimestamp written(String text) {
        ValueTimestamp parsed = DatesAndTimes.isDate(text) ? DatesAndTimes.parseDate(text) : null;
        if (parsed == null) {
            throw Errors.unsupported("CAST of a text that is no moment");
        }
        return parsed;
    }

    /// What stands beside a column of the type.
    public static @Nullable UUID uuidOf(Value given) {
        ValueUuid value =
                switch (given.getValueType()) {
                    case Value.NULL -> null;
                    case Value.VARBINARY -> Uuids.ofBytes(given.getBytesNoCopy());
                    default -> Uuids.ofText(given.getString());
                };
        if (value == null && given.getValueType() != Value.NULL) {
            throw Errors.unsupported("a value that is no UUID beside one");
        }
        return value == null ? null : new UUID(value.getHigh(), value.getLow());
    }
}
