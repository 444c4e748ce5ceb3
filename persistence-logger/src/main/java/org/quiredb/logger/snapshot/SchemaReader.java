package org.quiredb.logger.snapshot;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.CheckDefinition;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.ForeignKeyDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the users' schemas from information_schema, of MariaDB and MySQL alike.
///
/// Left out: views and tables with a column that is invisible, or of a type that the tier does not
/// hold, which the backend serves alone; full-text and spatial indexes, and indexes over
/// expressions, which only make the backend faster.
///
/// Threads: one.
public final class SchemaReader {
    private static final String USER_SCHEMAS =
            " NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema', 'quire')";
    private static final Logger LOG = LoggerFactory.getLogger(SchemaReader.class);
    private static final Set<String> HELD_TYPES =
            Set.of(
                    ("bit tinyint bool boolean smallint mediumint int integer bigint decimal numeric dec fixed"
                                    + " float double real year date time datetime timestamp char varchar binary"
                                    + " varbinary tinytext text mediumtext longtext tinyblob blob mediumblob longblob"
                                    + " enum set json uuid")
                            .split(" ", -1));
    private static final int MAXIMUM_TABLES = 1 << 16;

    private record TableName(String schema, String table) {}

    private record KeyName(TableName table, String name) {}

    private record Rules(String onDelete, String onUpdate) {}

    private final Connection connection;
    private final boolean mariaDb;

    public SchemaReader(Connection connection) throws SQLException {
        this.connection = connection;
        this.mariaDb = isMariaDb();
        if (!mariaDb) {
            execute("SET SESSION information_schema_stats_expiry = 0"); // else AUTO_INCREMENT is a
            // day old
        }
    }

    public List<String> schemas() throws SQLException {
        List<String> schemas = new ArrayList<>();
        forEach(
                "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME"
                        + USER_SCHEMAS
                        + " ORDER BY SCHEMA_NAME",
                row -> schemas.add(row.getString(1)));
        return schemas;
    }

    public List<TableDefinition> tables() throws SQLException {
        Map<TableName, Long> counters = counters();
        Map<TableName, List<ColumnDefinition>> columns = columns();
        Map<TableName, List<IndexDefinition>> indexes = indexes();
        Map<TableName, List<ForeignKeyDefinition>> foreignKeys = foreignKeys();
        Map<TableName, List<CheckDefinition>> checks = checks();
        partitions()
                .forEach((name, rule) ->
                        checks.computeIfAbsent(name, n -> new ArrayList<>()).add(rule));
        Set<TableName> withInvisible = withInvisible();
        List<TableDefinition> tables = new ArrayList<>();
        counters.forEach((name, counter) -> {
            TableDefinition table =
                    new TableDefinition(
                            name.schema(),
                            name.table(),
                            columns.getOrDefault(name, List.of()),
                            indexes.getOrDefault(name, List.of()),
                            foreignKeys.getOrDefault(name, List.of()),
                            checks.getOrDefault(name, List.of()),
                            counter);
            if (withInvisible.contains(name)) {
                LOG.info(
                        "{}.{} is served by the backend alone, for reads: it has an invisible column",
                        table.schema(),
                        table.name());
            } else if (held(table)) {
                tables.add(table);
            }
        });
        return tables;
    }

    /// What `*` means there is not what it means here.
    private Set<TableName> withInvisible() throws SQLException {
        Set<TableName> tables = new HashSet<>();
        forEach(
                "SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.COLUMNS"
                        + " WHERE EXTRA LIKE '%INVISIBLE%' AND TABLE_SCHEMA"
                        + USER_SCHEMAS,
                row -> tables.add(tableOf(row)));
        return tables;
    }

    private static boolean held(TableDefinition table) {
        for (ColumnDefinition column : table.columns()) {
            String type = column.type().toLowerCase(Locale.ROOT).split("[( ]", 2)[0];
            if (!HELD_TYPES.contains(type)) {
                LOG.info(
                        "{}.{} is served by the backend alone, for reads: the tier does not hold {}, the type of {}",
                        table.schema(),
                        table.name(),
                        type,
                        column.name());
                return false;
            }
        }
        return true;
    }

    private Map<TableName, Long> counters() throws SQLException {
        Map<TableName, Long> counters = new LinkedHashMap<>();
        forEach(
                "SELECT TABLE_SCHEMA, TABLE_NAME, COALESCE(AUTO_INCREMENT, 0) FROM information_schema.TABLES"
                        + " WHERE TABLE_TYPE = 'BASE TABLE' AND TABLE_SCHEMA"
                        + USER_SCHEMAS
                        + " ORDER BY TABLE_SCHEMA, TABLE_NAME",
                row -> counters.put(tableOf(row), row.getLong(3)));
        if (counters.size() > MAXIMUM_TABLES) {
            throw new IllegalStateException(
                    "the backend has more than " + MAXIMUM_TABLES + " tables");
        }
        return counters;
    }

    private Map<TableName, List<ColumnDefinition>> columns() throws SQLException {
        Map<TableName, List<ColumnDefinition>> columns = new LinkedHashMap<>();
        forEach(
                """
                SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, DATA_TYPE, IS_NULLABLE, EXTRA,
                    CHARACTER_SET_NAME, COLLATION_NAME, COLUMN_DEFAULT, GENERATION_EXPRESSION
                FROM information_schema.COLUMNS WHERE TABLE_SCHEMA\
                """
                        + USER_SCHEMAS
                        + " ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION",
                row ->
                        columns.computeIfAbsent(tableOf(row), name -> new ArrayList<>())
                                .add(column(row)));
        return columns;
    }

    private ColumnDefinition column(ResultSet row) throws SQLException {
        String extra = row.getString(7);
        String lowerExtra = extra.toLowerCase(Locale.ROOT);
        String shownDefault = row.getString(10);
        String generation = row.getString(11);
        boolean generated = generation != null && !generation.isEmpty();
        ColumnDefinition column =
                new ColumnDefinition(
                        row.getString(3),
                        row.getString(4),
                        row.getString(6).equals("YES"),
                        lowerExtra.contains("auto_increment"),
                        row.getString(8),
                        row.getString(9),
                        generated ? null : defaultExpression(shownDefault, row.getString(5), extra),
                        lowerExtra.contains("on update"),
                        generated ? expression(generation) : null);
        // MySQL does not tell a default of NULL from none.
        return mariaDb && shownDefault == null && !generated ? column.withoutDefault() : column;
    }

    private @Nullable String defaultExpression(
            @Nullable String shown, String dataType, String extra) {
        return mariaDb
                ? DefaultExpressions.ofMariaDb(shown)
                : DefaultExpressions.ofMySql(shown, dataType, extra);
    }

    private String expression(String shown) {
        return mariaDb ? shown : DefaultExpressions.unescape(shown);
    }

    /// Of several keys a row may repeat, the server's first one decides. MariaDB tells the indexes
    /// in the order in which it has them, as long as it is not asked to sort them.
    private String inServerOrder() {
        return mariaDb
                ? ""
                : " ORDER BY TABLE_SCHEMA, TABLE_NAME, INDEX_NAME <> 'PRIMARY', NON_UNIQUE, INDEX_NAME, SEQ_IN_INDEX";
    }

    private Map<TableName, List<IndexDefinition>> indexes() throws SQLException {
        Map<KeyName, Boolean> unique = new LinkedHashMap<>();
        Map<KeyName, List<@Nullable String>> columns = new LinkedHashMap<>();
        Map<KeyName, List<Integer>> prefixes = new LinkedHashMap<>();
        forEach(
                """
                SELECT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, NON_UNIQUE, COLUMN_NAME, SUB_PART
                FROM information_schema.STATISTICS WHERE INDEX_TYPE NOT IN ('FULLTEXT', 'SPATIAL') AND TABLE_SCHEMA\
                """
                        + USER_SCHEMAS
                        + inServerOrder(),
                row -> {
                    KeyName key = new KeyName(tableOf(row), row.getString(3));
                    unique.put(key, row.getInt(4) == 0);
                    columns.computeIfAbsent(key, name -> new ArrayList<>()).add(row.getString(5));
                    prefixes.computeIfAbsent(key, name -> new ArrayList<>()).add(row.getInt(6));
                });
        Map<TableName, List<IndexDefinition>> indexes = new LinkedHashMap<>();
        columns.forEach((key, names) -> {
            List<String> plain = new ArrayList<>();
            for (@Nullable String name : names) {
                if (name != null) {
                    plain.add(name);
                }
            }
            if (plain.size() == names.size()) {
                indexes.computeIfAbsent(key.table(), name -> new ArrayList<>())
                        .add(
                                new IndexDefinition(
                                        key.name(),
                                        unique.getOrDefault(key, false),
                                        plain,
                                        prefixes.getOrDefault(key, List.of())));
            }
        });
        return indexes;
    }

    private Map<TableName, List<ForeignKeyDefinition>> foreignKeys() throws SQLException {
        Map<KeyName, Rules> rules = rules();
        Map<KeyName, ForeignKeyDefinition> keys = new LinkedHashMap<>();
        forEach(
                """
                SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA,
                    REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
                FROM information_schema.KEY_COLUMN_USAGE
                WHERE REFERENCED_TABLE_NAME IS NOT NULL AND TABLE_SCHEMA\
                """
                        + USER_SCHEMAS
                        + " ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION",
                row -> {
                    KeyName name = new KeyName(tableOf(row), row.getString(3));
                    String schema = row.getString(5);
                    String table = row.getString(6);
                    Rules of = rules.get(name);
                    if (of == null) { // dropped since these were read
                        return;
                    }
                    ForeignKeyDefinition key =
                            keys.computeIfAbsent(
                                    name,
                                    _ ->
                                            new ForeignKeyDefinition(
                                                    name.name(),
                                                    new ArrayList<>(),
                                                    schema,
                                                    table,
                                                    new ArrayList<>(),
                                                    of.onDelete,
                                                    of.onUpdate));
                    key.columns().add(row.getString(4));
                    key.referencedColumns().add(row.getString(7));
                });
        Map<TableName, List<ForeignKeyDefinition>> byTable = new LinkedHashMap<>();
        keys.forEach((name, key) ->
                byTable.computeIfAbsent(name.table(), table -> new ArrayList<>()).add(key));
        return byTable;
    }

    /// Not joined to the columns by the server: MariaDB has no index over either, and compares
    /// every key's column with every key of all tables.
    private Map<KeyName, Rules> rules() throws SQLException {
        Map<KeyName, Rules> rules = new HashMap<>();
        forEach(
                "SELECT CONSTRAINT_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, DELETE_RULE, UPDATE_RULE"
                        + " FROM information_schema.REFERENTIAL_CONSTRAINTS WHERE CONSTRAINT_SCHEMA"
                        + USER_SCHEMAS,
                row ->
                        rules.put(
                                new KeyName(tableOf(row), row.getString(3)),
                                new Rules(row.getString(4), row.getString(5))));
        return rules;
    }

    /// In the server's order, which is that in which it checks a row; MySQL has none.
    private Map<TableName, List<CheckDefinition>> checks() throws SQLException {
        String query =
                mariaDb
                        ? "SELECT CONSTRAINT_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, LEVEL, CHECK_CLAUSE"
                                + " FROM information_schema.CHECK_CONSTRAINTS WHERE CONSTRAINT_SCHEMA"
                                + USER_SCHEMAS
                        : """
                        SELECT t.TABLE_SCHEMA, t.TABLE_NAME, c.CONSTRAINT_NAME, 'Table', c.CHECK_CLAUSE
                        FROM information_schema.CHECK_CONSTRAINTS c JOIN information_schema.TABLE_CONSTRAINTS t
                            ON t.CONSTRAINT_SCHEMA = c.CONSTRAINT_SCHEMA AND t.CONSTRAINT_NAME = c.CONSTRAINT_NAME
                            AND t.CONSTRAINT_TYPE = 'CHECK' AND t.ENFORCED = 'YES'
                        WHERE t.TABLE_SCHEMA\
                        """
                                + USER_SCHEMAS
                                + " ORDER BY t.TABLE_SCHEMA, t.TABLE_NAME, c.CONSTRAINT_NAME";
        Map<TableName, List<CheckDefinition>> checks = new LinkedHashMap<>();
        forEach(
                query,
                row ->
                        checks.computeIfAbsent(tableOf(row), name -> new ArrayList<>())
                                .add(
                                        new CheckDefinition(
                                                row.getString(3),
                                                row.getString(4).equals("Column"),
                                                expression(row.getString(5)))));
        return checks;
    }

    private Map<TableName, CheckDefinition> partitions() throws SQLException {
        Set<TableName> partitioned = new LinkedHashSet<>();
        forEach(
                "SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES"
                        + " WHERE CREATE_OPTIONS LIKE '%partitioned%' AND TABLE_SCHEMA"
                        + USER_SCHEMAS,
                row -> partitioned.add(tableOf(row)));
        Map<TableName, CheckDefinition> rules = new LinkedHashMap<>();
        for (TableName name : partitioned) {
            Partitions.rule(connection, name.schema(), name.table())
                    .ifPresent(rule -> rules.put(name, rule));
        }
        return rules;
    }

    @FunctionalInterface
    private interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    private void forEach(String query, RowReader reader) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                reader.read(result);
            }
        }
    }

    private static TableName tableOf(ResultSet row) throws SQLException {
        return new TableName(row.getString(1), row.getString(2));
    }

    private boolean isMariaDb() throws SQLException {
        boolean[] found = new boolean[1];
        forEach("SELECT VERSION()", row -> found[0] = row.getString(1).contains("MariaDB"));
        return found[0];
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
