package org.quiredb.replica.h2.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.h2.expression.Expression;
import org.h2.expression.ExpressionColumn;
import org.h2.expression.aggregate.Aggregate;
import org.h2.expression.aggregate.AggregateType;
import org.h2.result.LocalResult;
import org.h2.result.ResultInterface;
import org.h2.value.TypeInfo;
import org.h2.value.Value;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.ColumnFlag;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.h2.value.Values;
import org.quiredb.replica.kind.ShownColumn;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.replica.layout.FoldedTableName;
import org.quiredb.replica.layout.TableLayout;

/// The columns of an H2 result as MySQL describes them: a table's column by its definition, an
/// expression by its type.
public final class ResultColumns {
    private static final int UTF8MB4 = 45;
    private static final int BINARY = 63;
    private static final int MAX_DECIMALS = 30;

    private static final VarHandle EXPRESSIONS = expressions();

    private ResultColumns() {}

    private static VarHandle expressions() {
        try {
            return MethodHandles.privateLookupIn(LocalResult.class, MethodHandles.lookup())
                    .findVarHandle(LocalResult.class, "expressions", Expression[].class);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "another H2 than the one pinned: LocalResult.expressions", e);
        }
    }

    /// @param shown none where the statement is no query of the tree
    public static List<ColumnMetadata> of(
            ResultInterface result,
            Map<FoldedTableName, TableLayout> tables,
            List<ShownColumn> shown) {
        List<ColumnMetadata> columns = new ArrayList<>();
        int count = result.getVisibleColumnCount();
        for (int i = 0; i < count; i++) {
            ColumnMetadata column =
                    shown.size() == count ? shown.get(i).column(result.getAlias(i), tables) : null;
            if (column == null) {
                column = ofTable(result, i, tables);
            }
            if (column == null) {
                column = ofExtreme(result, i, tables);
            }
            columns.add(
                    column == null
                            ? ofExpression(result.getAlias(i), result.getColumnType(i))
                            : column);
        }
        return columns;
    }

    private static @Nullable ColumnMetadata ofTable(
            ResultInterface result, int i, Map<FoldedTableName, TableLayout> tables) {
        String schema = result.getSchemaName(i);
        String table = result.getTableName(i);
        String name = result.getColumnName(i);
        if (schema == null || table == null || name == null) {
            return null;
        }
        TableLayout layout = tables.get(FoldedTableName.of(schema, table));
        return layout == null || !layout.has(name) // any more, since the statement was planned
                ? null
                : layout.metadata(layout.column(name), tableAlias(result, i), result.getAlias(i));
    }

    /// MIN and MAX of a table's column have its type.
    private static @Nullable ColumnMetadata ofExtreme(
            ResultInterface result, int i, Map<FoldedTableName, TableLayout> tables) {
        if (!(expression(result, i) instanceof Aggregate aggregate)
                || (aggregate.getAggregateType() != AggregateType.MIN
                        && aggregate.getAggregateType() != AggregateType.MAX)
                || !(aggregate.getSubexpression(0) instanceof ExpressionColumn column)
                || column.getTableName() == null) {
            return null;
        }
        TableLayout layout =
                tables.get(FoldedTableName.of(column.getSchemaName(), column.getTableName()));
        String name = column.getColumn().getName();
        if (layout == null || !layout.has(name)) {
            return null;
        }
        ColumnType type = layout.rows().type(layout.column(name));
        return type.storage() == ColumnType.Storage.UUID ? null : type.metadata(result.getAlias(i));
    }

    private static @Nullable Expression expression(ResultInterface result, int i) {
        return result instanceof LocalResult local
                ? ((Expression[]) EXPRESSIONS.get(local))[i].getNonAliasExpression()
                : null;
    }

    /// The name that the statement gives the column's table, empty for its own.
    private static String tableAlias(ResultInterface result, int i) {
        if (expression(result, i) instanceof ExpressionColumn column
                && column.getTableFilter() != null) {
            return column.getTableFilter().getTableAlias();
        }
        return "";
    }

    private static ColumnMetadata ofExpression(String name, TypeInfo type) {
        return switch (type.getValueType()) {
            case Value.NULL -> expression(name, BINARY, 0, MySqlType.NULL, 0);
            case Value.BOOLEAN -> expression(name, BINARY, 1, MySqlType.LONG, 0);
            case Value.TINYINT, Value.SMALLINT, Value.INTEGER ->
                    expression(name, BINARY, 11, MySqlType.LONG, 0);
            case Value.BIGINT -> expression(name, BINARY, 21, MySqlType.LONGLONG, 0);
            case Value.NUMERIC, Value.DECFLOAT -> decimal(name, type);
            case Value.REAL, Value.DOUBLE -> expression(name, BINARY, 23, MySqlType.DOUBLE, 31);
            case Value.DATE -> expression(name, BINARY, 10, MySqlType.DATE, 0);
            case Value.TIMESTAMP, Value.TIMESTAMP_TZ ->
                    temporal(name, type, MySqlType.DATETIME, 19);
            case Value.VARBINARY, Value.BINARY, Value.BLOB ->
                    expression(name, BINARY, type.getPrecision(), MySqlType.VAR_STRING, 31);
            case Value.UUID ->
                    ColumnMetadata.expression(
                            name,
                            UTF8MB4,
                            ColumnType.UUID_LENGTH,
                            MySqlType.STRING,
                            ColumnFlag.UNSIGNED,
                            0);
            default -> {
                if (!Values.isText(type)) {
                    throw Errors.unsupported("a result of type " + type);
                }
                yield expression(
                        name,
                        UTF8MB4,
                        Math.min(type.getPrecision(), 1 << 24) * 4,
                        MySqlType.VAR_STRING,
                        31);
            }
        };
    }

    private static ColumnMetadata decimal(String name, TypeInfo type) {
        boolean exact = type.getValueType() == Value.NUMERIC && type.getScale() <= MAX_DECIMALS;
        int decimals = exact ? type.getScale() : ColumnMetadata.UNSPECIFIED_DECIMALS;
        return expression(
                name,
                BINARY,
                Math.min(type.getPrecision(), 65) + 2,
                MySqlType.NEWDECIMAL,
                decimals);
    }

    private static ColumnMetadata temporal(String name, TypeInfo type, int mysql, int length) {
        // NOW() has whole seconds here, whatever precision H2 declares for it
        int decimals = type.getValueType() == Value.TIMESTAMP_TZ ? 0 : Math.min(type.getScale(), 6);
        return expression(
                name, BINARY, decimals == 0 ? length : length + 1 + decimals, mysql, decimals);
    }

    private static ColumnMetadata expression(
            String name, int characterSet, long length, int type, int decimals) {
        return ColumnMetadata.expression(
                name,
                characterSet,
                length,
                type,
                characterSet == BINARY ? ColumnFlag.BINARY : 0,
                decimals);
    }
}
