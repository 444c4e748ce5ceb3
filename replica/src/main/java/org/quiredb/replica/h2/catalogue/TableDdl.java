package org.quiredb.replica.h2.catalogue;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.schema.CheckDefinition;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.ForeignKeyDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.JsonCheck;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.replica.binding.H2Text;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.h2.table.Checks;
import org.quiredb.replica.h2.table.ForeignKeys;
import org.quiredb.replica.kind.Kinds;
import org.quiredb.replica.kind.ParameterTypes;
import org.quiredb.replica.kind.Scope;
import org.quiredb.replica.kind.TreeFacts;
import org.quiredb.replica.layout.Collation;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.replica.layout.ColumnType.Storage;
import org.quiredb.sql.parse.Parser;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.Query;
import org.quiredb.sql.tree.Reading;

/// A table definition as H2's DDL. Index and constraint names get the table's id, as H2 wants them
/// unique in a schema.
final class TableDdl {
    private final int tableId;
    private final TableDefinition table;

    TableDdl(int tableId, TableDefinition table) {
        this.tableId = tableId;
        this.table = table;
    }

    static String quote(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    static String name(String schema, String name) {
        return quote(schema) + "." + quote(name);
    }

    private static String list(List<String> columns) {
        return columns.stream().map(TableDdl::quote).collect(Collectors.joining(", ", "(", ")"));
    }

    /// Table first, then its indexes; without foreign keys.
    List<String> create() {
        return create(false, true);
    }

    /// Without CHECKs and defaults, for rows that have been made and checked elsewhere.
    List<String> createUnchecked() {
        return create(false, false);
    }

    /// Without what only matters when rows are changed.
    List<String> createForReads() {
        return create(true, false);
    }

    /// What of the definition is computed for each row and in MySQL's words; null for nothing.
    @Nullable String generatedBeyondH2() {
        for (ColumnDefinition column : table.columns()) {
            String generation = column.generation();
            try {
                if (generation != null) {
                    refuseUnlikeH2(ColumnType.of(column));
                    expression(generation);
                }
            } catch (QuireException e) {
                return computed(column, e);
            }
        }
        return null;
    }

    /// What of the definition decides a new row's values, in MySQL's words; null for nothing.
    @Nullable String defaultBeyondH2() {
        for (ColumnDefinition column : table.columns()) {
            try {
                String _ = valueByDefault(column);
            } catch (QuireException | NumberFormatException e) {
                return computed(column, e);
            }
        }
        return null;
    }

    private static String computed(ColumnDefinition column, RuntimeException why) {
        return "a table whose column " + column.name() + " is computed: " + why.getMessage();
    }

    private @Nullable String valueByDefault(ColumnDefinition column) {
        String value = column.defaultExpression();
        return value == null || column.generation() != null || value.equalsIgnoreCase("null")
                ? null
                : expression(column, value);
    }

    /// Which CHECK H2 would take for another; null for none.
    @Nullable String checksBeyondH2() {
        for (CheckDefinition check : table.checks()) {
            try {
                String _ = JsonCheck.of(table, check) ? "" : condition(check.expression());
            } catch (QuireException e) {
                return check.ofPartitions()
                        ? "a table with partitions that do not take every row: " + e.getMessage()
                        : "a table with the CHECK " + check.name() + ": " + e.getMessage();
            }
        }
        return null;
    }

    /// A key by which the backend finds texts alike that are others in memory; null for none.
    @Nullable String keyBeyondH2() {
        for (IndexDefinition index : table.indexes()) {
            for (ColumnDefinition column : table.columns()) {
                boolean named =
                        index.unique()
                                && index.columns().stream()
                                        .anyMatch(name -> name.equalsIgnoreCase(column.name()));
                if (named && isOfOtherCollation(ColumnType.of(column))) {
                    return "a table with the key %s in %s"
                            .formatted(index.name(), column.collation());
                }
            }
        }
        return null;
    }

    private static boolean isOfOtherCollation(ColumnType type) {
        boolean text = type.storage() == Storage.STRING || type.storage() == Storage.FOLDED_STRING;
        return text && type.collation() == Collation.OTHER;
    }

    private boolean folds() {
        List<ColumnType> types = table.columns().stream().map(ColumnType::of).toList();
        return types.stream().noneMatch(t -> t.storage() == Storage.STRING)
                && types.stream().anyMatch(t -> t.storage() == Storage.FOLDED_STRING);
    }

    private static boolean computed(String value) {
        return !value.startsWith("'")
                && value.contains("(")
                && !value.toLowerCase(Locale.ROOT).startsWith("current_timestamp");
    }

    /// H2 converts what it computes by itself.
    private static void refuseUnlikeH2(ColumnType type) {
        boolean like =
                switch (type.storage()) {
                    case INTEGER, BIG_DECIMAL ->
                            type.mysql() != MySqlType.BIT && type.mysql() != MySqlType.YEAR;
                    case DECIMAL, DATE, TIMESTAMP -> true;
                    case STRING, FOLDED_STRING ->
                            type.mysql() != MySqlType.STRING && type.mysql() != MySqlType.JSON;
                    case FLOAT, DOUBLE, TIME, BYTES, UUID -> false;
                };
        if (!like) {
            throw Errors.unsupported("a generated column of such a type");
        }
    }

    /// In H2's words.
    private String expression(String mysql) {
        Expression expression = tree(mysql);
        Scope scope = Scope.of(table);
        Kinds kinds = new Kinds(scope, ParameterTypes.UNKNOWN);
        kinds.expression(table, expression);
        H2Text text = new H2Text(scope, folds(), ParameterTypes.UNKNOWN, kinds);
        text.of(expression);
        return text.part().sql();
    }

    /// As {@link #expression}, of what decides.
    private String condition(String mysql) {
        Expression condition = tree(mysql);
        Scope scope = Scope.of(table);
        Kinds kinds = new Kinds(scope, ParameterTypes.UNKNOWN);
        kinds.condition(table, condition);
        H2Text text = new H2Text(scope, folds(), ParameterTypes.UNKNOWN, kinds);
        text.condition("", condition);
        return text.part().sql();
    }

    private static Expression tree(String mysql) {
        Reading reading = Parser.read(NormalizedSql.of("SELECT " + mysql).text());
        if (!(reading.query() instanceof Query.Select select)
                || select.items().size() != 1
                || !(select.items().getFirst() instanceof Query.Shown shown)) {
            throw Errors.unsupported(reading.leftOut());
        }
        if (TreeFacts.byChance(shown.expression())) {
            throw Errors.unsupported("chance");
        }
        return shown.expression();
    }

    private List<String> create(boolean forReads, boolean checks) {
        List<String> parts = new ArrayList<>();
        table.columns()
                .forEach(column -> parts.add(forReads ? plain(column) : column(column, checks)));
        List<String> statements = new ArrayList<>();
        for (IndexDefinition index : table.indexes()) {
            if (index.primary()) {
                parts.add("PRIMARY KEY " + list(index.columns()));
            } else {
                statements.add(
                        "CREATE "
                                + (index.unique() ? "UNIQUE " : "")
                                + "INDEX "
                                + name(table.schema(), "i" + tableId + "_" + index.name())
                                + " ON "
                                + name(table.schema(), table.name())
                                + list(index.columns()));
            }
        }
        for (int i = 0; i < table.checks().size(); i++) {
            CheckDefinition check = table.checks().get(i);
            if (checks && !JsonCheck.of(table, check)) {
                parts.add(
                        "CONSTRAINT "
                                + name(table.schema(), Checks.nameInH2(tableId, i))
                                + " CHECK ("
                                + condition(check.expression())
                                + ")");
            }
        }
        statements.addFirst(
                "CREATE TABLE "
                        + name(table.schema(), table.name())
                        + " ("
                        + String.join(", ", parts)
                        + ")");
        return statements;
    }

    private static String plain(ColumnDefinition column) {
        return quote(column.name())
                + ' '
                + ColumnType.of(column).h2()
                + (column.invisible() ? " INVISIBLE" : "");
    }

    private String column(ColumnDefinition column, boolean checks) {
        StringBuilder sql = new StringBuilder(plain(column));
        String generation = column.generation();
        if (generation != null) {
            return sql.append(" GENERATED ALWAYS AS (")
                    .append(expression(generation))
                    .append(')')
                    .toString();
        }
        String value = checks ? valueByDefault(column) : null;
        if (value != null) {
            sql.append(" DEFAULT ").append(value);
        }
        if (column.onUpdateNow()) {
            sql.append(" ON UPDATE ").append(now(ColumnType.of(column).decimals()));
        }
        return sql.append(column.nullable() ? "" : " NOT NULL").toString();
    }

    private static String now(int digits) {
        return "PUBLIC.QUIRE_NOW(" + digits + ")";
    }

    private String expression(ColumnDefinition column, String mysql) {
        Storage storage = ColumnType.of(column).storage();
        if (storage == Storage.UUID) {
            return "PUBLIC.QUIRE_UUID_OF("
                    + (computed(mysql) ? expression(mysql) : constant(mysql))
                    + ")";
        }
        if ((storage == Storage.DATE || storage == Storage.TIMESTAMP) && mysql.startsWith("'")) {
            return "PUBLIC.QUIRE_MOMENT(" + mysql + ")";
        }
        String lower = mysql.toLowerCase(Locale.ROOT);
        if (lower.startsWith("current_timestamp") || lower.startsWith("now(")) {
            return now(ColumnType.of(column).decimals());
        }
        if (lower.startsWith("b'") && lower.endsWith("'")) {
            return new BigInteger(lower.substring(2, lower.length() - 1), 2).toString();
        }
        return computed(mysql) ? expression(mysql) : constant(mysql);
    }

    /// Without MySQL's own escapes.
    private static String constant(String mysql) {
        Tokens tokens = Tokens.of(mysql);
        return tokens.size() == 1 && tokens.get(0) instanceof Token.Constant constant
                ? constant.text()
                : mysql;
    }

    String foreignKey(ForeignKeyDefinition key) {
        return "ALTER TABLE "
                + name(table.schema(), table.name())
                + " ADD CONSTRAINT "
                + name(table.schema(), ForeignKeys.nameInH2(tableId, key))
                + " FOREIGN KEY "
                + list(key.columns())
                + " REFERENCES "
                + name(key.referencedSchema(), key.referencedTable())
                + list(key.referencedColumns())
                + " ON DELETE "
                + key.onDelete()
                + " ON UPDATE "
                + key.onUpdate()
                + " NOCHECK";
    }
}
