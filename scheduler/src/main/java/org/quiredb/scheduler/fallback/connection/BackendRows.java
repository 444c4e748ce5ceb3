package org.quiredb.scheduler.fallback.connection;

import com.mysql.cj.jdbc.JdbcConnection;
import com.mysql.cj.jdbc.result.ResultSetInternalMethods;
import com.mysql.cj.jdbc.result.ResultSetMetaData;
import com.mysql.cj.result.Field;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.Condition;
import org.quiredb.common.mysql.ColumnFlag;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.mysql.ResultSetEncoder;
import org.quiredb.common.schema.TriggerDefinition;
import org.quiredb.common.sql.SqlValue;

/// A result of the backend, to be encoded as the packets that the backend sent: the driver keeps
/// each value's text as it came.
public final class BackendRows {
    private static final int BINARY = 63;

    /// The protocol has two bytes for how many warnings there are.
    private static final int MOST_COUNTED = 0xFFFF;

    /// Columns with the texts of triggers.
    private static final Set<String> OF_TRIGGERS =
            Set.of("ACTION_STATEMENT", "Statement", "SQL Original Statement");

    private final ResultSet rows;
    private final List<ColumnMetadata> columns;

    private final boolean ofProcedure;
    private long count;

    public BackendRows(ResultSet rows, List<ColumnMetadata> columns) {
        this(rows, columns, false);
    }

    /// @param ofProcedure whether something comes after it
    public BackendRows(ResultSet rows, List<ColumnMetadata> columns, boolean ofProcedure) {
        this.rows = rows;
        this.columns = columns;
        this.ofProcedure = ofProcedure;
    }

    /// The columns of a statement that is not run; none where it answers with no rows.
    public static List<ColumnMetadata> prepared(Connection connection, String sql)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return columns(statement.getMetaData());
        }
    }

    /// Also where the driver would prepare it by itself.
    public static boolean isRead(Connection connection, String sql) throws SQLException {
        try (PreparedStatement _ =
                connection.unwrap(JdbcConnection.class).serverPrepareStatement(sql)) {
            return true;
        }
    }

    public static List<ColumnMetadata> columns(java.sql.@Nullable ResultSetMetaData metadata)
            throws SQLException {
        List<ColumnMetadata> columns = new ArrayList<>();
        if (metadata != null) {
            for (Field field : ((ResultSetMetaData) metadata).getFields()) {
                columns.add(column(field));
            }
        }
        return columns;
    }

    /// As the server described it, of which the driver makes something else: of a number's length
    /// how many digits it has, and of bytes that they are a BLOB. Some widths it forgets: there it
    /// is the type's usual one.
    private static ColumnMetadata column(Field field) {
        boolean floating =
                field.getMysqlTypeId() == MySqlType.DOUBLE
                        || field.getMysqlTypeId() == MySqlType.FLOAT;
        return new ColumnMetadata(
                text(field.getDatabaseName()),
                text(field.getTableName()),
                text(field.getOriginalTableName()),
                text(field.getName()),
                text(field.getOriginalName()),
                field.getCollationIndex(),
                length(field),
                field.getMysqlTypeId(),
                flags(field),
                // the driver shows "not fixed" as none
                floating && field.getDecimals() == 0
                        ? ColumnMetadata.UNSPECIFIED_DECIMALS
                        : field.getDecimals());
    }

    private static long length(Field field) {
        int point = field.getDecimals() > 0 ? 1 : 0;
        return field.getLength()
                + switch (field.getMysqlType()) {
                    case BOOLEAN -> 1 - field.getLength(); // TINYINT(1), as of the Backend
                    case TINYINT, SMALLINT, INT, BIGINT -> 1;
                    case MEDIUMINT -> 2;
                    case DECIMAL -> 1 + point;
                    case DECIMAL_UNSIGNED -> point;
                    default -> 0;
                };
    }

    private static int flags(Field field) {
        int others =
                switch (field.getMysqlTypeId()) {
                    case MySqlType.BIT -> ColumnFlag.BLOB | ColumnFlag.BINARY;
                    case MySqlType.VAR_STRING, MySqlType.STRING -> ColumnFlag.BLOB;
                    default -> 0;
                };
        return field.getFlags() & 0xFFFF & ~others;
    }

    private static String text(@Nullable String name) {
        return name == null ? "" : name;
    }

    /// What is known once the last row has come.
    public interface Ending {
        List<Condition> conditions() throws SQLException;
    }

    /// @return the statement's warnings
    public List<Condition> encode(
            Consumer<byte[]> sink, boolean binary, int statusFlags, Ending ending)
            throws SQLException {
        ResultSetEncoder encoder = new ResultSetEncoder(sink, binary, statusFlags);
        encoder.columns(columns);
        boolean[] ofTriggers = new boolean[columns.size()];
        for (int i = 0; i < ofTriggers.length; i++) {
            ofTriggers[i] = isOfTriggers(columns.get(i));
        }
        SQLException next = null;
        try {
            while (rows.next()) {
                count++;
                SqlValue[] row = new SqlValue[columns.size()];
                for (int i = 0; i < row.length; i++) {
                    row[i] = value(rows.getBytes(i + 1), columns.get(i));
                    if (ofTriggers[i]) {
                        row[i] = unguarded(row[i]);
                    }
                }
                encoder.row(row);
            }
        } catch (SQLException e) {
            if (!ofProcedure || !isWhole()) {
                throw e;
            }
            next = e;
        }
        List<Condition> conditions = next == null ? ending.conditions() : List.of();
        encoder.finish(Math.min(conditions.size(), MOST_COUNTED));
        if (next != null) {
            throw next;
        }
        return conditions;
    }

    /// How many there were.
    public long count() {
        return count;
    }

    private static boolean isOfTriggers(ColumnMetadata column) {
        return OF_TRIGGERS.contains(column.name()) || OF_TRIGGERS.contains(column.originalName());
    }

    /// As the client has made it.
    private static SqlValue unguarded(SqlValue shown) {
        return switch (shown) {
            case SqlValue.StringValue(String text) ->
                    TriggerDefinition.unguarded(text)
                            .<SqlValue>map(SqlValue.StringValue::new)
                            .orElse(shown);
            case SqlValue.BytesValue bytes -> // as SHOW CREATE TRIGGER describes it
                    TriggerDefinition.unguarded(new String(bytes.value(), StandardCharsets.UTF_8))
                            .<SqlValue>map(text ->
                                    new SqlValue.BytesValue(text.getBytes(StandardCharsets.UTF_8)))
                            .orElse(shown);
            default -> shown;
        };
    }

    /// Whether all of it has come, and an error is that of what comes after it, for which the
    /// driver asks with the last row.
    private boolean isWhole() throws SQLException {
        return rows.unwrap(ResultSetInternalMethods.class).getRows().isAfterLast();
    }

    static SqlValue value(byte @Nullable [] bytes, ColumnMetadata column) {
        if (bytes == null) {
            return SqlValue.NULL;
        }
        boolean textual =
                switch (column.type()) {
                    case MySqlType.VAR_STRING,
                            MySqlType.STRING,
                            MySqlType.VARCHAR,
                            MySqlType.BLOB,
                            MySqlType.TINY_BLOB,
                            MySqlType.MEDIUM_BLOB,
                            MySqlType.LONG_BLOB,
                            MySqlType.BIT,
                            MySqlType.GEOMETRY ->
                            column.characterSet() != BINARY;
                    default -> true;
                };
        return textual
                ? new SqlValue.StringValue(new String(bytes, StandardCharsets.UTF_8))
                : new SqlValue.BytesValue(bytes);
    }

    /// Named as in another result.
    public static List<ColumnMetadata> named(
            List<ColumnMetadata> columns, List<ColumnMetadata> names) {
        List<ColumnMetadata> named = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            named.add(
                    i < names.size()
                            ? columns.get(i).withName(names.get(i).name())
                            : columns.get(i));
        }
        return named;
    }
}
