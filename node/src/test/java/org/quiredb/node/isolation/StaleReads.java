package org.quiredb.node.isolation;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/// Clients that learn of a number without changing anything, end, and read it again at once on
/// another connection or scheduler, while writers make it grow.
///
/// Threads: any; each client has connections of its own.
final class StaleReads {
    private static final int WRITERS = 3;
    private static final int READERS = 12;
    private static final long LONGEST_WAIT_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final int DUPLICATE_KEY = 1062;
    private static final int LOCK_WAIT_TIMEOUT = 1205;
    private static final int DEADLOCK = 1213;
    private static final int KEPT_FINDINGS = 20;
    private static final List<Integer> LEVELS =
            List.of(
                    Connection.TRANSACTION_READ_COMMITTED,
                    Connection.TRANSACTION_REPEATABLE_READ,
                    Connection.TRANSACTION_SERIALIZABLE);

    /// How a client comes to know the number.
    enum Way {
        SELECT,
        FOR_UPDATE,
        SHARE_MODE,
        FOR_UPDATE_ALONE,
        SHARE_MODE_ALONE,
        NO_OP_UPDATE,
        SAVEPOINT,
        ROLLBACK,
        ROLLBACK_OF_CHANGES,
        DUPLICATE_KEY,
        DUPLICATE_KEY_IN_TRANSACTION
    }

    private final List<String> urls;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<Way, LongAdder> rounds = new ConcurrentSkipListMap<>();
    private final LongAdder stale = new LongAdder();
    private final Queue<String> findings = new ConcurrentLinkedQueue<>();

    /// @param urls of the schedulers
    StaleReads(List<String> urls) {
        this.urls = urls;
    }

    static void create(Connection backend) throws SQLException {
        execute(backend, "CREATE DATABASE stale");
        execute(
                backend,
                "CREATE TABLE stale.hot (id INT PRIMARY KEY, n INT NOT NULL, UNIQUE KEY one_n"
                        + " (n))");
        execute(backend, "INSERT INTO stale.hot VALUES (1, 0)");
    }

    /// @param nanos how long at least
    /// @param least rounds that it goes on for, if they come in a bounded time
    void run(long nanos, long least) throws Exception {
        long start = System.nanoTime();
        BooleanSupplier goesOn =
                () -> {
                    long elapsed = System.nanoTime() - start;
                    return elapsed < nanos
                            || (rounds() < least && elapsed < nanos + LONGEST_WAIT_NANOS);
                };
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> clients = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                String url = url(writer);
                clients.add(
                        threads.submit(() -> {
                            write(url, goesOn);
                            return null;
                        }));
            }
            for (int reader = 0; reader < READERS; reader++) {
                int number = reader;
                clients.add(
                        threads.submit(() -> {
                            read(number, goesOn);
                            return null;
                        }));
            }
            for (Future<?> client : clients) {
                client.get();
            }
        }
    }

    long rounds() {
        return rounds.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /// How many of each way.
    Map<Way, LongAdder> byWay() {
        return rounds;
    }

    long stale() {
        return stale.sum();
    }

    /// The first of them, in words.
    Queue<String> findings() {
        return findings;
    }

    private String url(int number) {
        return urls.get(number % urls.size());
    }

    /// At any level: what it promises of stale reads is the same.
    private static Connection open(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url, "quire", "quire");
        connection.setTransactionIsolation(
                LEVELS.get(ThreadLocalRandom.current().nextInt(LEVELS.size())));
        return connection;
    }

    /// The number only grows: a late writer finds a higher one.
    private void write(String url, BooleanSupplier goesOn) throws SQLException {
        try (Connection connection = open(url)) {
            while (goesOn.getAsBoolean()) {
                int number = numbers.incrementAndGet();
                execute(
                        connection,
                        "UPDATE stale.hot SET n = %d WHERE id = 1 AND n < %d"
                                .formatted(number, number));
            }
        }
    }

    private void read(int reader, BooleanSupplier goesOn) throws SQLException {
        Way[] ways = Way.values();
        try (Connection first = open(url(reader));
                Connection beside = open(url(reader));
                Connection elsewhere = open(url(reader + 1))) {
            List<Connection> others = List.of(beside, elsewhere);
            for (int round = reader; goesOn.getAsBoolean(); round++) {
                Way way = ways[round % ways.length];
                try {
                    int seen = see(way, first, reader);
                    int after = number(others.get(round / ways.length % 2), "");
                    rounds.computeIfAbsent(way, _ -> new LongAdder()).increment();
                    if (after < seen) {
                        stale.increment();
                        if (findings.size() < KEPT_FINDINGS) {
                            findings.add("%s saw %d, then %d".formatted(way, seen, after));
                        }
                    }
                } catch (SQLException e) {
                    if (e.getErrorCode() != DEADLOCK && e.getErrorCode() != LOCK_WAIT_TIMEOUT) {
                        throw e;
                    }
                    execute(first, "ROLLBACK");
                }
            }
        }
    }

    /// Returns a number that was there, when the end of what told it is answered.
    private int see(Way way, Connection connection, int reader) throws SQLException {
        return switch (way) {
            case SELECT -> ended(connection, () -> number(connection, ""), "COMMIT");
            case FOR_UPDATE -> ended(connection, () -> number(connection, " FOR UPDATE"), "COMMIT");
            case SHARE_MODE ->
                    ended(connection, () -> number(connection, " LOCK IN SHARE MODE"), "COMMIT");
            case FOR_UPDATE_ALONE -> number(connection, " FOR UPDATE");
            case SHARE_MODE_ALONE -> number(connection, " LOCK IN SHARE MODE");
            case NO_OP_UPDATE ->
                    ended(
                            connection,
                            () -> {
                                execute(connection, "UPDATE stale.hot SET n = n WHERE id = 1");
                                return number(connection, "");
                            },
                            "COMMIT");
            case SAVEPOINT ->
                    ended(
                            connection,
                            () -> {
                                execute(connection, "SAVEPOINT here");
                                int seen = number(connection, "");
                                insert(connection, reader, -1 - reader);
                                execute(connection, "ROLLBACK TO SAVEPOINT here");
                                return seen;
                            },
                            "COMMIT");
            case ROLLBACK -> ended(connection, () -> number(connection, ""), "ROLLBACK");
            case ROLLBACK_OF_CHANGES ->
                    ended(
                            connection,
                            () -> {
                                insert(connection, reader, -1 - reader);
                                return number(connection, "");
                            },
                            "ROLLBACK");
            case DUPLICATE_KEY -> duplicate(connection, reader);
            case DUPLICATE_KEY_IN_TRANSACTION ->
                    ended(connection, () -> duplicate(connection, reader), "ROLLBACK");
        };
    }

    private interface Body {
        int run() throws SQLException;
    }

    private static int ended(Connection connection, Body body, String end) throws SQLException {
        execute(connection, "START TRANSACTION");
        int seen = body.run();
        execute(connection, end);
        return seen;
    }

    private static void insert(Connection connection, int reader, int number) throws SQLException {
        execute(
                connection,
                "INSERT INTO stale.hot VALUES (%d, %d)".formatted(100 + reader, number));
    }

    /// The second row is never taken; so nothing is left where the first one is. The error names
    /// the key of the one that failed.
    ///
    /// @return the number that is there already, 0 when it was not
    private int duplicate(Connection connection, int reader) throws SQLException {
        int newest = numbers.get();
        try {
            execute(
                    connection,
                    "INSERT INTO stale.hot VALUES (%d, %d), (1, -1)"
                            .formatted(100 + reader, newest));
        } catch (SQLException e) {
            if (e.getErrorCode() != DUPLICATE_KEY) {
                throw e;
            }
            return String.valueOf(e.getMessage()).contains("one_n") ? newest : 0;
        }
        throw new IllegalStateException("a row was there twice");
    }

    private static int number(Connection connection, String suffix) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT n FROM stale.hot WHERE id = 1" + suffix)) {
            row.next();
            return row.getInt(1);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
