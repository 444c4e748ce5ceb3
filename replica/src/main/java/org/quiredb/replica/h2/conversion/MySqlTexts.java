package org.quiredb.replica.h2.conversion;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.h2.value.Value;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.mysql.ResultSetEncoder;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.h2.statement.Statement;
import org.quiredb.replica.h2.value.Uuids;
import org.quiredb.replica.h2.value.Values;

/// Values as MySQL writes them where a text is wanted.
public final class MySqlTexts {
    private MySqlTexts() {}

    public static String of(Value value) {
        return switch (value.getValueType()) {
            case Value.VARCHAR,
                    Value.VARCHAR_IGNORECASE,
                    Value.CHAR,
                    Value.TINYINT,
                    Value.SMALLINT,
                    Value.INTEGER,
                    Value.BIGINT ->
                    value.getString();
            case Value.VARBINARY -> utf8(value.getBytesNoCopy());
            case Value.UUID -> Uuids.text(value);
            case Value.BOOLEAN -> value.getBoolean() ? "1" : "0";
            case Value.NUMERIC, Value.DECFLOAT -> value.getBigDecimal().toPlainString();
            case Value.DOUBLE -> shown(value, MySqlType.DOUBLE);
            case Value.REAL -> shown(value, MySqlType.FLOAT);
            case Value.DATE -> shown(value, MySqlType.DATE);
            case Value.TIMESTAMP -> inSeconds(value, MySqlType.DATETIME);
            case Value.INTERVAL_HOUR_TO_SECOND -> inSeconds(value, MySqlType.TIME);
            default -> throw Errors.unsupported("a value of this type as text");
        };
    }

    /// A value does not say how many digits of a second's fraction its column has.
    private static String inSeconds(Value value, int type) {
        if (!Statement.CURRENT.isBound() || Statement.current().readsFractions()) {
            throw Errors.unsupported("fractions of seconds as text");
        }
        return shown(value, type);
    }

    private static String shown(Value value, int type) {
        int decimals = type == MySqlType.DOUBLE || type == MySqlType.FLOAT ? 31 : 0;
        return utf8(
                Objects.requireNonNull(
                        ResultSetEncoder.textValue(
                                Values.fromH2(value),
                                ColumnMetadata.expression("", 63, 23, type, 0, decimals))));
    }

    private static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
