package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.quiredb.node.verify.Verification;

/// Tables change under clients that write and read them: nobody sees an error that MySQL would not
/// give, and nobody wrong rows.
@ExtendWith(BothSides.class)
@Tag("slow")
final class SchemaUnderLoadTest {
    private static final int WRITERS = 4;
    private static final int ROUNDS = Integer.getInteger("quire.schema.rounds", 6);

    private final BothSides.Ports ports;
    private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(WRITERS);
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong longestWriteNanos = new AtomicLong();
    private final AtomicLong longestReadNanos = new AtomicLong();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger changed = new AtomicInteger();
    private volatile boolean over;

    SchemaUnderLoadTest(BothSides.Ports ports) {
        this.ports = ports;
    }

    @Test
    @Timeout(300)
    void tablesChangeUnderClientsThatWriteAndReadThem() throws Exception {
        try (Connection client = connect("");
                Statement statement = client.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS busy");
            statement.execute("CREATE DATABASE busy");
            statement.execute(
                    "CREATE TABLE busy.entry (id INT AUTO_INCREMENT PRIMARY KEY, writer INT NOT NULL, number INT NOT NULL)");
            statement.execute("CREATE TABLE busy.a (id INT PRIMARY KEY, v INT)");
            statement.execute("CREATE TABLE busy.b (id INT PRIMARY KEY, v INT)");
            statement.execute("INSERT INTO busy.a VALUES (1, 1), (2, 1), (3, 1)");
            statement.execute("INSERT INTO busy.b VALUES (1, 2), (2, 2), (3, 2)");
            statement.execute("CREATE TABLE busy.log (id INT AUTO_INCREMENT PRIMARY KEY, v INT)");
        }
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int writer = i;
            threads.add(start("busy", c -> write(c, writer)));
        }
        threads.add(start("busy", this::read));
        threads.add(start("busy", this::readInTransactions));
        threads.add(start("busy", this::fillLog));
        try (Connection client = connect("busy")) {
            change(client, new Random(7));
        } finally {
            over = true;
            for (Thread thread : threads) {
                thread.join();
            }
        }
        System.out.printf(
                "%d reads, %d transactions that met a change, longest write %d ms, longest read %d ms%n",
                reads.get(),
                changed.get(),
                longestWriteNanos.get() / 1_000_000,
                longestReadNanos.get() / 1_000_000);
        assertThat(failures).isEmpty();
        check();
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    /// Triggers come and go, and columns, as tools make them that change tables online.
    @Test
    @Timeout(180)
    void changesThatTheBackendEvaluatesGoOnBesideSchemaChanges() throws Exception {
        try (Connection client = connect("");
                Statement statement = client.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS fired");
            statement.execute("CREATE DATABASE fired");
            statement.execute("CREATE TABLE fired.t (id INT PRIMARY KEY, v INT)");
            statement.execute("CREATE TABLE fired.seen (id INT PRIMARY KEY, v INT)");
            statement.execute("INSERT INTO fired.t VALUES (0, 0), (1, 0), (2, 0), (3, 0)");
            statement.execute(
                    "CREATE PROCEDURE fired.raise(writer INT) UPDATE t SET v = v + 1 WHERE id = writer");
        }
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int writer = i;
            threads.add(start("fired", c -> writeEvaluated(c, writer)));
        }
        try (Connection client = connect("fired");
                Statement statement = client.createStatement()) {
            for (int round = 0; round < 4 * ROUNDS && failures.isEmpty(); round++) {
                statement.execute(
                        "CREATE TRIGGER seeing AFTER UPDATE ON t FOR EACH ROW REPLACE INTO seen VALUES (NEW.id, NEW.v)");
                statement.execute("ALTER TABLE t ADD COLUMN extra INT");
                statement.execute("ALTER TABLE t DROP COLUMN extra");
                statement.execute("DROP TRIGGER seeing");
            }
        } finally {
            over = true;
            for (Thread thread : threads) {
                thread.join();
            }
        }
        assertThat(failures).isEmpty();
        try (Connection client = connect("fired");
                Statement statement = client.createStatement();
                ResultSet row = statement.executeQuery("SELECT v FROM t ORDER BY id")) {
            for (int writer = 0; writer < WRITERS; writer++) {
                row.next();
                assertThat(row.getInt(1)).isEqualTo(acknowledged.get(writer));
            }
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    private void writeEvaluated(Connection client, int writer) throws SQLException {
        try (Statement statement = client.createStatement()) {
            List<String> changes =
                    List.of(
                            "UPDATE t SET v = v + 1 WHERE id = " + writer,
                            "UPDATE t SET v = v + JSON_LENGTH('[1]') WHERE id = " + writer,
                            "CALL raise(" + writer + ")");
            while (!over) {
                for (String change : changes) {
                    statement.execute(change);
                    acknowledged.incrementAndGet(writer);
                    statement.execute("BEGIN");
                    statement.execute(change);
                    statement.execute("COMMIT");
                    acknowledged.incrementAndGet(writer);
                }
            }
        }
    }

    /// As an installer or a test suite does beside a demo that compares itself.
    @Test
    @Timeout(120)
    void aComparisonEndsThoughTablesComeAndGoAllTheTime() throws Exception {
        try (Connection client = connect("");
                Statement statement = client.createStatement()) {
            statement.execute("CREATE DATABASE restless");
            statement.execute("CREATE TABLE restless.still (id INT PRIMARY KEY)");
            statement.execute("CREATE TABLE restless.u (id INT PRIMARY KEY)");
            statement.execute("INSERT INTO restless.u VALUES (1)");
        }
        Thread changing = start("restless", this::changeRestlessTables);
        List<Verification> found = new ArrayList<>();
        try {
            while (failures.isEmpty() && (found.size() < 5 || changed.get() < 40)) {
                found.add(ports.tier().verify());
            }
        } finally {
            over = true;
            changing.join();
        }
        assertThat(failures).isEmpty();
        assertThat(found)
                .allSatisfy(verification -> {
                    assertThat(verification.differences()).isEmpty();
                    assertThat(verification.changed()).isSubsetOf("restless.t", "restless.u");
                    assertThat(verification.compared())
                            .extracting(Verification.Compared::table)
                            .contains("restless.still");
                });
        Verification last = ports.tier().verify();
        assertThat(last.identical()).isTrue();
        assertThat(last.changed()).isEmpty();
    }

    private void changeRestlessTables(Connection client) throws SQLException {
        List<String> changes =
                List.of(
                        "CREATE TABLE restless.t (id INT PRIMARY KEY)",
                        "INSERT INTO restless.t VALUES (1), (2)",
                        "ALTER TABLE restless.u ADD x INT DEFAULT 1",
                        "ALTER TABLE restless.u DROP x",
                        "DROP TABLE restless.t");
        try (Statement statement = client.createStatement()) {
            while (!over) {
                for (String change : changes) {
                    statement.execute(change);
                    changed.incrementAndGet();
                }
            }
        }
    }

    /// Rows that an applier cannot change yet keep the schema change waiting, and nobody else.
    @Test
    @Timeout(120)
    void aBackendThatIsBehindKeepsNobodyElseWaiting() throws Exception {
        try (Connection client = connect("");
                Statement statement = client.createStatement();
                Connection other = connect("");
                Statement changing = other.createStatement();
                Connection behind =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:" + ports.behind() + "/",
                                BothSides.USER,
                                BothSides.PASSWORD);
                Statement holding = behind.createStatement()) {
            for (String database : List.of("held", "free")) {
                statement.execute("DROP DATABASE IF EXISTS " + database);
                statement.execute("CREATE DATABASE " + database);
                statement.execute("CREATE TABLE " + database + ".t (id INT PRIMARY KEY, v INT)");
                statement.execute("INSERT INTO " + database + ".t VALUES (1, 0)");
            }
            ports.tier().verify(); // waits until the backend has all that is logged
            behind.setAutoCommit(false);
            holding.execute("SELECT * FROM held.t FOR UPDATE");
            statement.execute("UPDATE held.t SET v = 1");
            FutureTask<Boolean> change =
                    new FutureTask<>(() -> changing.execute("ALTER TABLE held.t ADD x INT"));
            Thread.startVirtualThread(change);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
            while (System.nanoTime() < end) {
                statement.execute("UPDATE free.t SET v = v + 1");
                assertThat(change).isNotDone();
            }
            behind.rollback();
            assertThat(change.get()).isFalse();
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    /// Who has read the backend, where the schema is another one already, waits for the replicas;
    /// nobody waits for him.
    @Test
    @Timeout(120)
    void whoHasReadTheBackendMeanwhileKeepsNobodyElseWaiting() throws Exception {
        try (Connection client = connect("");
                Statement statement = client.createStatement();
                Connection other = connect("");
                Statement changing = other.createStatement();
                Connection third = connect("");
                Statement reading = third.createStatement();
                Connection behind =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:" + ports.behind() + "/",
                                BothSides.USER,
                                BothSides.PASSWORD);
                Statement watching = behind.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS shown");
            statement.execute("CREATE DATABASE shown");
            statement.execute("CREATE TABLE shown.t (id INT PRIMARY KEY, v INT)");
            statement.execute("INSERT INTO shown.t VALUES (1, 7)");
            statement.execute(
                    "CREATE TABLE shown.large (id INT AUTO_INCREMENT PRIMARY KEY, v CHAR(200))");
            statement.execute("INSERT INTO shown.large (v) VALUES ('v')");
            for (int i = 0; i < 15; i++) {
                statement.execute("INSERT INTO shown.large (v) SELECT v FROM shown.large");
            }
            ports.tier().verify(); // waits until the backend has all that is logged
            FutureTask<Boolean> change =
                    new FutureTask<>(
                            () -> changing.execute("ALTER TABLE shown.large ADD more INT"));
            Thread.startVirtualThread(change);
            while (!watching.executeQuery("SHOW COLUMNS FROM shown.large LIKE 'more'").next()) {
                assertThat(change).isNotDone();
            }
            FutureTask<String> read =
                    new FutureTask<>(() -> {
                        ResultSet row =
                                reading.executeQuery(
                                        "SELECT GROUP_CONCAT(v), @@version FROM shown.t");
                        row.next();
                        return row.getString(1);
                    });
            Thread.startVirtualThread(read);
            int reads = 0; // would be one if it waited, too
            while (!change.isDone()) {
                assertThat(statement.executeQuery("SELECT v FROM shown.t").next()).isTrue();
                reads++;
            }
            assertThat(reads).isGreaterThan(3);
            assertThat(change.get()).isFalse();
            assertThat(read.get()).isEqualTo("7");
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    private void change(Connection client, Random random) throws SQLException {
        try (Statement statement = client.createStatement()) {
            for (int round = 0; round < ROUNDS && failures.isEmpty(); round++) {
                int length = 10 + random.nextInt(100);
                for (String sql :
                        List.of(
                                "ALTER TABLE entry ADD COLUMN extra VARCHAR(%d) DEFAULT 'x'"
                                        .formatted(length),
                                "CREATE INDEX by_writer ON entry (writer, number)",
                                "RENAME TABLE a TO swap, b TO a, swap TO b",
                                "TRUNCATE TABLE log",
                                "ALTER TABLE entry DROP INDEX by_writer, DROP COLUMN extra")) {
                    long began = System.nanoTime();
                    statement.execute(sql);
                    System.out.printf("%4d ms %s%n", (System.nanoTime() - began) / 1_000_000, sql);
                }
            }
        }
    }

    private void write(Connection client, int writer) throws SQLException {
        try (Statement statement = client.createStatement()) {
            for (int number = 1; !over; number++) {
                long began = System.nanoTime();
                statement.executeUpdate(
                        "INSERT INTO entry (writer, number) VALUES (%d, %d)"
                                .formatted(writer, number));
                acknowledged.set(writer, number);
                longestWriteNanos.accumulateAndGet(System.nanoTime() - began, Math::max);
            }
        }
    }

    private void read(Connection client) throws SQLException {
        try (Statement statement = client.createStatement()) {
            for (int turn = 0; !over; turn++) {
                int writer = turn % WRITERS;
                int atLeast = acknowledged.get(writer);
                long began = System.nanoTime();
                try (ResultSet row =
                        statement.executeQuery(
                                "SELECT COUNT(*), MAX(number) FROM entry WHERE writer = "
                                        + writer)) {
                    row.next();
                    assertThat(row.getInt(1)).isGreaterThanOrEqualTo(atLeast);
                    assertThat(row.getInt(2)).isEqualTo(row.getInt(1));
                }
                longestReadNanos.accumulateAndGet(System.nanoTime() - began, Math::max);
                assertThat(sums(statement)).isIn(List.of(3, 6), List.of(6, 3));
                reads.incrementAndGet();
            }
        }
    }

    /// Both tables in one statement: one before the swap and one after it would be the same.
    private static List<Integer> sums(Statement statement) throws SQLException {
        try (ResultSet row =
                statement.executeQuery("SELECT (SELECT SUM(v) FROM a), (SELECT SUM(v) FROM b)")) {
            row.next();
            return List.of(row.getInt(1), row.getInt(2));
        }
    }

    private void readInTransactions(Connection client) throws SQLException {
        try (Statement statement = client.createStatement()) {
            while (!over) {
                statement.execute("START TRANSACTION READ ONLY");
                try {
                    List<Integer> first = sums(statement);
                    assertThat(first).isIn(List.of(3, 6), List.of(6, 3));
                    assertThat(sums(statement)).isEqualTo(first);
                    try (ResultSet row =
                            statement.executeQuery(
                                    "SELECT COUNT(*), MAX(number), writer FROM entry GROUP BY writer")) {
                        while (row.next()) {
                            assertThat(row.getInt(1)).isEqualTo(row.getInt(2));
                        }
                    }
                } catch (SQLException e) {
                    if (e.getErrorCode() != 1412) {
                        throw e;
                    }
                    changed.incrementAndGet();
                }
                statement.execute("COMMIT");
            }
        }
    }

    private void fillLog(Connection client) throws SQLException {
        client.setAutoCommit(false);
        try (Statement statement = client.createStatement()) {
            for (int number = 1; !over; number++) {
                statement.executeUpdate(
                        "INSERT INTO log (v) VALUES (%d), (%d)".formatted(number, -number));
                client.commit();
                try (ResultSet row = statement.executeQuery("SELECT SUM(v) FROM log")) {
                    row.next();
                    assertThat(row.getInt(1)).isZero();
                }
                client.commit();
            }
        }
    }

    private void check() throws SQLException {
        try (Connection client = connect("busy");
                Statement statement = client.createStatement()) {
            for (int writer = 0; writer < WRITERS; writer++) {
                try (ResultSet row =
                        statement.executeQuery(
                                "SELECT COUNT(*) FROM entry WHERE writer = " + writer)) {
                    row.next();
                    assertThat(row.getInt(1)).isEqualTo(acknowledged.get(writer));
                }
            }
        }
    }

    private interface Client {
        void run(Connection client) throws SQLException;
    }

    private Thread start(String database, Client work) {
        return Thread.startVirtualThread(() -> {
            try (Connection client = connect(database)) {
                work.run(client);
            } catch (SQLException | RuntimeException | AssertionError e) {
                failures.add(e);
            }
        });
    }

    private Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + ports.quire() + "/" + database,
                BothSides.USER,
                BothSides.PASSWORD);
    }
}
