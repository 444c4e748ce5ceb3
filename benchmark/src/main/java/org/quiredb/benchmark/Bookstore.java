package org.quiredb.benchmark;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.tpcw.population.Population;

/// The bookstore of TPC-W as definitions and rows, without a server: the population writes to this
/// as to a JDBC driver.
///
/// Threads: the population's write under the lock of this; afterwards any.
final class Bookstore implements Driver {
    private static final String URL = "jdbc:bookstore:";
    private static final Pattern CREATE =
            Pattern.compile("CREATE TABLE (\\w+) \\((.*)\\)[^)]*", Pattern.DOTALL);
    private static final Pattern COLUMN =
            Pattern.compile("(\\w+) (\\w+(?:\\([\\d,]+\\))?) NOT NULL(?<auto> AUTO_INCREMENT)?");
    private static final Pattern PRIMARY = Pattern.compile("PRIMARY KEY \\(([^)]*)\\)");
    private static final Pattern INDEX = Pattern.compile("ADD INDEX \\w+ \\((\\w+)\\)");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

    /// One table: its rows are texts in the columns' order, by primary key.
    record Table(TableDefinition definition, List<List<byte @Nullable []>> rows) {
        /// As a file of one line a row, with one character behind each value.
        long textBytes() {
            long bytes = 0;
            for (List<byte @Nullable []> row : rows) {
                for (byte @Nullable [] value : row) {
                    bytes += value == null ? 3 : value.length + 1;
                }
            }
            return bytes;
        }
    }

    private final Map<String, Table> tables = new LinkedHashMap<>();
    private final String collation;

    private Bookstore(String collation) {
        this.collation = collation;
    }

    static List<Table> of(int items, int customers, String collation) {
        Bookstore bookstore = new Bookstore(collation);
        try {
            DriverManager.registerDriver(bookstore);
            Population.populate(URL, "", "", items, customers, 1, (what, done, all) -> {});
            DriverManager.deregisterDriver(bookstore);
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "the population needs more of a driver than there is", e);
        }
        bookstore.tables.values().forEach(Bookstore::sort);
        return List.copyOf(bookstore.tables.values());
    }

    private static void sort(Table table) {
        List<String> key = table.definition.indexes().getFirst().columns();
        Comparator<List<byte @Nullable []>> order = byNumber(0); // the keys' columns come first
        for (int column = 1; column < key.size(); column++) {
            order = order.thenComparing(byNumber(column));
        }
        table.rows.sort(order);
    }

    private static Comparator<List<byte @Nullable []>> byNumber(int column) {
        return Comparator.comparingLong(
                row -> Long.parseLong(new String(row.get(column), StandardCharsets.UTF_8)));
    }

    @Override
    public @Nullable Connection connect(String url, Properties info) {
        return acceptsURL(url)
                ? proxy(
                        Connection.class,
                        (name, arguments) ->
                                switch (name) {
                                    case "createStatement" -> statement();
                                    case "prepareStatement" -> insert((String) arguments[0]);
                                    default -> null;
                                })
                : null;
    }

    private Statement statement() {
        return proxy(
                Statement.class,
                (name, arguments) -> {
                    if (name.equals("execute")) {
                        define((String) arguments[0]);
                        return true;
                    }
                    return null;
                });
    }

    private PreparedStatement insert(String sql) {
        String name = sql.split(" ", 4)[2];
        List<String> named =
                List.of(sql.substring(sql.indexOf('(') + 1, sql.indexOf(')')).split(", ", -1));
        Table table = table(name);
        int[] places =
                table.definition.columns().stream()
                        .mapToInt(column -> named.indexOf(column.name()))
                        .toArray();
        Object[] values = new Object[named.size()];
        return proxy(
                PreparedStatement.class,
                (method, arguments) -> {
                    switch (method) {
                        case "setObject" -> values[(Integer) arguments[0] - 1] = arguments[1];
                        case "addBatch" -> add(table, places, values);
                        default -> {}
                    }
                    return method.equals("executeBatch") ? new int[0] : null;
                });
    }

    private synchronized void add(Table table, int[] places, Object[] values) {
        List<byte @Nullable []> row = new ArrayList<>(places.length);
        for (int place : places) {
            row.add(text(values[place]).getBytes(StandardCharsets.UTF_8));
        }
        table.rows.add(row);
    }

    private static String text(Object value) {
        return switch (value) {
            case LocalDateTime time -> TIME.format(time);
            case LocalDate date -> date.toString();
            default -> String.valueOf(value);
        };
    }

    private synchronized Table table(String name) {
        Table table = tables.get(name);
        if (table == null) {
            throw new IllegalArgumentException("no table " + name);
        }
        return table;
    }

    private synchronized void define(String sql) {
        Matcher create = CREATE.matcher(sql);
        if (create.matches()) {
            String name = create.group(1);
            tables.put(name, new Table(definition(name, create.group(2)), new ArrayList<>()));
        } else if (sql.startsWith("ALTER TABLE ")) {
            String name = sql.split(" ", 4)[2];
            Table table = table(name);
            List<IndexDefinition> indexes = new ArrayList<>(table.definition.indexes());
            INDEX.matcher(sql)
                    .results()
                    .forEach(index ->
                            indexes.add(
                                    new IndexDefinition(
                                            "ix_" + index.group(1),
                                            false,
                                            List.of(index.group(1)))));
            tables.put(name, new Table(with(table.definition, indexes), table.rows));
        }
    }

    private TableDefinition definition(String name, String body) {
        List<ColumnDefinition> columns = new ArrayList<>();
        COLUMN.matcher(body)
                .results()
                .forEach(column -> {
                    String type = column.group(2).toLowerCase(Locale.ROOT);
                    columns.add(
                            new ColumnDefinition(
                                    column.group(1),
                                    type,
                                    false,
                                    column.group(3) != null,
                                    null,
                                    type.contains("char") ? collation : null,
                                    null,
                                    false,
                                    null));
                });
        Matcher primary = PRIMARY.matcher(body);
        if (!primary.find()) {
            throw new IllegalArgumentException(name + " has no primary key");
        }
        List<String> key = List.of(primary.group(1).split(", ", -1));
        return new TableDefinition(
                "tpcw",
                name,
                columns,
                List.of(new IndexDefinition("PRIMARY", true, key)),
                List.of(),
                List.of(),
                0);
    }

    private static TableDefinition with(TableDefinition table, List<IndexDefinition> indexes) {
        return new TableDefinition(
                table.schema(), table.name(), table.columns(), indexes, List.of(), List.of(), 0);
    }

    private interface Calls {
        @Nullable Object call(String name, Object[] arguments);
    }

    private static <T> T proxy(Class<T> type, Calls calls) {
        return type.cast(
                Proxy.newProxyInstance(
                        Bookstore.class.getClassLoader(),
                        new Class<?>[] {type},
                        (self, method, arguments) -> calls.call(method.getName(), arguments)));
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.equals(URL);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }
}
