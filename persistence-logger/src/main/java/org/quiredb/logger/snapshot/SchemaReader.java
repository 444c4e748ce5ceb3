package org.quiredb.logger.snapshot;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.CheckDefinition;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.ForeignKeyDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.schema.TriggerDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the users' schemas from information_schema, of MariaDB and MySQL alike.
///
/// Left out: views, and tables of an engine or with a column of a type that the tier does not hold,
/// which the backend serves alone; full-text and spatial indexes, and indexes over expressions,
/// which only make the backend faster.
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

    /// A table of another one shows rows of other tables, keeps none, or does not change them.
    private static final String HELD_ENGINES =
            "COALESCE(ENGINE, 'InnoDB') IN"
                    + " ('InnoDB', 'MyISAM', 'Aria', 'MEMORY', 'CSV', 'ROCKSDB', 'TokuDB', 'ndbcluster')";

    private static final int MAXIMUM_TABLES = 1 << 16;

    /// Of a question.
    private static final int MOST_COLUMNS = 11;

    private record TableName(String schema, String table) {}

    /// What a question is about: all the users' tables, or the one of these names. The server opens
    /// every table that it is not told to leave alone, by names that are equal to given ones.
    private record Extent(List<String> names) {
        static final Extent ALL = new Extent(List.of());

        String of(String schemaColumn, String tableColumn) {
            return names.isEmpty()
                    ? schemaColumn + USER_SCHEMAS
                    : schemaColumn + " = ? AND " + tableColumn + " = ?";
        }
    }

    /// One of the questions about tables.
    ///
    /// @param select so many columns
    /// @param from what follows them, but for the order
    private record Question(
            int columns, String select, String from, String order, RowReader reader) {
        String alone() {
            return "SELECT " + select + from + order;
        }

        /// One among several, which are answered in one order each.
        String numbered(int number) {
            return "SELECT "
                    + select
                    + ", NULL".repeat(MOST_COLUMNS - columns)
                    + ", '"
                    + number
                    + "'"
                    + from;
        }
    }

    private record KeyName(TableName table, String name) {}

    private record Trigger(String timing, long order, TriggerDefinition definition) {}

    private record Rules(String onDelete, String onUpdate) {}

    private final Connection connection;
    private final boolean mariaDb;

    public SchemaReader(Connection connection) throws SQLException {
        this.connection = connection;
        // the driver knows it from its login
        this.mariaDb = connection.getMetaData().getDatabaseProductVersion().contains("MariaDB");
        if (!mariaDb) {
            execute("SET SESSION information_schema_stats_expiry = 0"); // else AUTO_INCREMENT is a
            // day old
        }
    }

    public List<String> schemas() throws SQLException {
        return outline("").schemas();
    }

    /// @param names of the tables and views of one of them
    record Outline(List<String> schemas, List<String> names) {}

    /// What there is, without anything that the server opens for that.
    Outline outline(String schema) throws SQLException {
        List<String> schemas = new ArrayList<>();
        List<String> names = new ArrayList<>();
        forEach(
                "SELECT SCHEMA_NAME, NULL FROM information_schema.SCHEMATA WHERE SCHEMA_NAME"
                        + USER_SCHEMAS
                        + (schema.isEmpty()
                                ? ""
                                : " UNION ALL SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES"
                                        + " WHERE TABLE_SCHEMA = ?")
                        + " ORDER BY 1",
                schema.isEmpty() ? List.of() : List.of(schema),
                row -> {
                    String name = row.getString(2);
                    if (name == null) {
                        schemas.add(row.getString(1));
                    } else {
                        names.add(name);
                    }
                });
        return new Outline(schemas, names);
    }

    public List<TableDefinition> tables() throws SQLException {
        return tables(Extent.ALL);
    }

    /// Empty where there is none, or none that the tier holds.
    Optional<TableDefinition> table(String schema, String table) throws SQLException {
        return tables(new Extent(List.of(schema, table))).stream().findFirst();
    }

    private List<TableDefinition> tables(Extent extent) throws SQLException {
        Set<TableName> partitioned = new LinkedHashSet<>();
        Map<TableName, Long> counters = new LinkedHashMap<>();
        Map<TableName, List<ColumnDefinition>> columns = new LinkedHashMap<>();
        Indexes indexed = new Indexes();
        Map<KeyName, Rules> rules = new HashMap<>();
        Map<TableName, List<CheckDefinition>> checks = new LinkedHashMap<>();
        Map<TableName, List<Trigger>> fired = new LinkedHashMap<>();
        ask(
                extent,
                List.of(
                        counters(extent, counters, partitioned),
                        columns(extent, columns),
                        indexes(extent, indexed),
                        rules(extent, rules),
                        checks(extent, checks),
                        triggers(extent, fired)));
        if (counters.size() > MAXIMUM_TABLES) {
            throw new IllegalStateException(
                    "the backend has more than " + MAXIMUM_TABLES + " tables");
        }
        Map<TableName, List<IndexDefinition>> indexes = indexed.byTable();
        Map<TableName, List<ForeignKeyDefinition>> foreignKeys =
                rules.isEmpty() ? Map.of() : foreignKeys(extent, rules);
        Map<TableName, List<TriggerDefinition>> triggers = inOrder(fired);
        for (TableName name : partitioned) {
            Partitions.rule(connection, name.schema(), name.table())
                    .ifPresent(
                            rule -> checks.computeIfAbsent(name, n -> new ArrayList<>()).add(rule));
        }
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
                            triggers.getOrDefault(name, List.of()),
                            counter);
            if (held(table)) {
                tables.add(table);
            }
        });
        return tables;
    }

    private boolean held(TableDefinition table) {
        for (ColumnDefinition column : table.columns()) {
            String type = column.type().toLowerCase(Locale.ROOT).split("[( ]", 2)[0];
            if (!HELD_TYPES.contains(type) && !(column.geometry() && heldGeometry(table, column))) {
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

    /// MariaDB stores any bytes that begin as a geometry does, MySQL looks further; and no server
    /// compares a geometry with bytes, by which a row would be named.
    private boolean heldGeometry(TableDefinition table, ColumnDefinition column) {
        return mariaDb
                && table.indexes().stream()
                        .noneMatch(index ->
                                index.primary() && index.columns().contains(column.name()));
    }

    private static Question counters(
            Extent extent, Map<TableName, Long> counters, Set<TableName> partitioned) {
        return new Question(
                6,
                "TABLE_SCHEMA, TABLE_NAME, COALESCE(AUTO_INCREMENT, 0),"
                        + " CREATE_OPTIONS LIKE '%partitioned%', "
                        + HELD_ENGINES
                        + ", ENGINE",
                " FROM information_schema.TABLES WHERE TABLE_TYPE = 'BASE TABLE' AND "
                        + extent.of("TABLE_SCHEMA", "TABLE_NAME"),
                " ORDER BY TABLE_SCHEMA, TABLE_NAME",
                row -> {
                    TableName name = tableOf(row);
                    if (!row.getBoolean(5)) {
                        LOG.info(
                                "{}.{} is served by the backend alone, for reads: the tier does not hold tables of {}",
                                name.schema(),
                                name.table(),
                                row.getString(6));
                        return;
                    }
                    counters.put(name, row.getLong(3));
                    if (row.getBoolean(4)) {
                        partitioned.add(name);
                    }
                });
    }

    private Question columns(Extent extent, Map<TableName, List<ColumnDefinition>> columns) {
        return new Question(
                MOST_COLUMNS,
                """
                TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, DATA_TYPE, IS_NULLABLE, EXTRA,
                    CHARACTER_SET_NAME, COLLATION_NAME, COLUMN_DEFAULT, GENERATION_EXPRESSION\
                """,
                " FROM information_schema.COLUMNS WHERE " + extent.of("TABLE_SCHEMA", "TABLE_NAME"),
                " ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION",
                row -> {
                    TableName name = tableOf(row);
                    ColumnDefinition column = column(row);
                    boolean invisible =
                            row.getString(7).toUpperCase(Locale.ROOT).contains("INVISIBLE");
                    columns.computeIfAbsent(name, n -> new ArrayList<>())
                            .add(invisible ? column.hidden() : column);
                });
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

    /// As they are told, a column at a time.
    private static final class Indexes {
        private final Map<KeyName, Boolean> unique = new LinkedHashMap<>();
        private final Map<KeyName, List<@Nullable String>> columns = new LinkedHashMap<>();
        private final Map<KeyName, List<Integer>> prefixes = new LinkedHashMap<>();

        void add(ResultSet row) throws SQLException {
            KeyName key = new KeyName(tableOf(row), row.getString(3));
            unique.put(key, row.getInt(4) == 0);
            columns.computeIfAbsent(key, name -> new ArrayList<>()).add(row.getString(5));
            prefixes.computeIfAbsent(key, name -> new ArrayList<>()).add(row.getInt(6));
        }

        Map<TableName, List<IndexDefinition>> byTable() {
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
    }

    private Question indexes(Extent extent, Indexes indexes) {
        return new Question(
                6,
                "TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, NON_UNIQUE, COLUMN_NAME, SUB_PART",
                " FROM information_schema.STATISTICS WHERE INDEX_TYPE NOT IN ('FULLTEXT', 'SPATIAL') AND "
                        + extent.of("TABLE_SCHEMA", "TABLE_NAME"),
                inServerOrder(),
                indexes::add);
    }

    private Map<TableName, List<ForeignKeyDefinition>> foreignKeys(
            Extent extent, Map<KeyName, Rules> rules) throws SQLException {
        Map<KeyName, ForeignKeyDefinition> keys = new LinkedHashMap<>();
        forEach(
                """
                SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA,
                    REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
                FROM information_schema.KEY_COLUMN_USAGE
                WHERE REFERENCED_TABLE_NAME IS NOT NULL AND\
                """
                        + " "
                        + extent.of("TABLE_SCHEMA", "TABLE_NAME")
                        + " ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION",
                extent.names(),
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
    private static Question rules(Extent extent, Map<KeyName, Rules> rules) {
        return new Question(
                5,
                "CONSTRAINT_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, DELETE_RULE, UPDATE_RULE",
                " FROM information_schema.REFERENTIAL_CONSTRAINTS WHERE "
                        + extent.of("CONSTRAINT_SCHEMA", "TABLE_NAME"),
                "",
                row ->
                        rules.put(
                                new KeyName(tableOf(row), row.getString(3)),
                                new Rules(row.getString(4), row.getString(5))));
    }

    /// In the server's order, which is that in which it checks a row; MySQL has none.
    private Question checks(Extent extent, Map<TableName, List<CheckDefinition>> checks) {
        RowReader reader =
                row ->
                        checks.computeIfAbsent(tableOf(row), name -> new ArrayList<>())
                                .add(
                                        new CheckDefinition(
                                                row.getString(3),
                                                row.getString(4).equals("Column"),
                                                expression(row.getString(5))));
        return mariaDb
                ? new Question(
                        5,
                        "CONSTRAINT_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, LEVEL, CHECK_CLAUSE",
                        " FROM information_schema.CHECK_CONSTRAINTS WHERE "
                                + extent.of("CONSTRAINT_SCHEMA", "TABLE_NAME"),
                        "",
                        reader)
                : new Question(
                        5,
                        "t.TABLE_SCHEMA, t.TABLE_NAME, c.CONSTRAINT_NAME, 'Table', c.CHECK_CLAUSE",
                        """
                         FROM information_schema.CHECK_CONSTRAINTS c JOIN information_schema.TABLE_CONSTRAINTS t
                            ON t.CONSTRAINT_SCHEMA = c.CONSTRAINT_SCHEMA AND t.CONSTRAINT_NAME = c.CONSTRAINT_NAME
                            AND t.CONSTRAINT_TYPE = 'CHECK' AND t.ENFORCED = 'YES'
                        WHERE\
                        """
                                + " "
                                + extent.of("t.TABLE_SCHEMA", "t.TABLE_NAME"),
                        " ORDER BY t.TABLE_SCHEMA, t.TABLE_NAME, c.CONSTRAINT_NAME",
                        reader);
    }

    private static Question triggers(Extent extent, Map<TableName, List<Trigger>> triggers) {
        return new Question(
                8,
                "EVENT_OBJECT_SCHEMA, EVENT_OBJECT_TABLE, TRIGGER_NAME, EVENT_MANIPULATION, SQL_MODE,"
                        + " ACTION_STATEMENT, ACTION_TIMING, ACTION_ORDER",
                " FROM information_schema.TRIGGERS WHERE "
                        + extent.of("EVENT_OBJECT_SCHEMA", "EVENT_OBJECT_TABLE"),
                "",
                row -> {
                    TableName table = tableOf(row);
                    TriggerDefinition trigger =
                            TriggerDefinition.of(
                                    row.getString(3),
                                    TriggerDefinition.Event.valueOf(row.getString(4)),
                                    row.getString(5),
                                    row.getString(6));
                    triggers.computeIfAbsent(table, name -> new ArrayList<>())
                            .add(new Trigger(row.getString(7), row.getLong(8), trigger));
                    if (!trigger.guarded()) {
                        LOG.warn(
                                "changes of {}.{} are refused for its trigger {}, which was not made through Quire",
                                table.schema(),
                                table.table(),
                                trigger.name());
                    }
                });
    }

    private static Map<TableName, List<TriggerDefinition>> inOrder(
            Map<TableName, List<Trigger>> fired) {
        Map<TableName, List<TriggerDefinition>> triggers = new HashMap<>();
        fired.forEach((table, all) ->
                triggers.put(
                        table,
                        all.stream()
                                .sorted(
                                        Comparator.comparing((Trigger one) ->
                                                        one.definition().event().name())
                                                .thenComparing(
                                                        Trigger::timing, Comparator.reverseOrder())
                                                .thenComparingLong(Trigger::order))
                                .map(Trigger::definition)
                                .toList()));
        return triggers;
    }

    /// All at once, where the server answers about one table in the order in which it has its
    /// parts: a client waits for it.
    private void ask(Extent extent, List<Question> questions) throws SQLException {
        if (!mariaDb || extent.names().isEmpty()) {
            for (Question question : questions) {
                forEach(question.alone(), extent.names(), question.reader());
            }
            return;
        }
        List<String> sql = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (Question question : questions) {
            sql.add(question.numbered(sql.size()));
            values.addAll(extent.names());
        }
        forEach(
                String.join(" UNION ALL ", sql),
                values,
                row -> questions.get(row.getInt(MOST_COLUMNS + 1)).reader().read(row));
    }

    @FunctionalInterface
    private interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    private void forEach(String query, List<String> values, RowReader reader) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            for (int i = 0; i < values.size(); i++) {
                statement.setString(i + 1, values.get(i));
            }
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    reader.read(result);
                }
            }
        }
    }

    private static TableName tableOf(ResultSet row) throws SQLException {
        return new TableName(row.getString(1), row.getString(2));
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
