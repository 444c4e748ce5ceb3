package org.quiredb.node.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;

/// The same schema changes through the tier and on a MariaDB of its own: the same answers, the same
/// catalogues, the same rows, and no replica lost.
@Tag("slow")
final class SchemaDifferentialTest {
    private static final String DATABASE = "changing";
    private static final int BLOCK = 100;
    private static final int MANY = 20;

    /// Of several reasons to refuse rows either side may name another one first.
    private static final Set<Integer> ROW_ERRORS =
            Set.of(1048, 1062, 1264, 1265, 1292, 1364, 1366, 1406, 1451, 1452, 1761, 4025);

    /// Rows without a primary key lie in the order in which each server got them.
    private static final Pattern ROWS = Pattern.compile("INSERT|REPLACE|UPDATE|DELETE|ALTER");

    private static final List<String> CATALOGUE =
            List.of(
                    "SELECT table_name, table_comment, auto_increment FROM information_schema.tables"
                            + " WHERE table_schema = '%s' ORDER BY 1",
                    "SELECT table_name, ordinal_position, column_name, column_type, is_nullable, column_default, extra,"
                            + " collation_name FROM information_schema.columns WHERE table_schema = '%s' ORDER BY 1, 2",
                    "SELECT table_name, index_name, seq_in_index, column_name, non_unique"
                            + " FROM information_schema.statistics WHERE table_schema = '%s' ORDER BY 1, 2, 3",
                    "SELECT table_name, constraint_name, referenced_table_name, delete_rule, update_rule"
                            + " FROM information_schema.referential_constraints WHERE constraint_schema = '%s' ORDER BY 1, 2",
                    "SELECT table_name, constraint_name, column_name, referenced_column_name"
                            + " FROM information_schema.key_column_usage WHERE table_schema = '%s' ORDER BY 1, 2, 3");

    @TempDir private static Path ours;
    @TempDir private static Path theirs;
    private static EmbeddedBackend backend;
    private static EmbeddedBackend other;
    private static LocalCluster tier;

    @BeforeAll
    static void start() {
        backend = FreshBackend.start(ours);
        other = FreshBackend.start(theirs);
        tier =
                LocalCluster.start(
                        new ClusterConfig(0, backend.port(), ours, 1, 0, "quire", "quire"),
                        backend);
    }

    @AfterAll
    static void stop() {
        try {
            if (tier != null) {
                tier.close();
            }
        } finally {
            if (backend != null) {
                backend.close();
            }
            if (other != null) {
                other.close();
            }
        }
    }

    /// Statements that once ended every replica, and the seeds of others that did.
    @Test
    @Timeout(120)
    void foreignKeysThatUseLongerKeysComeAndGo() throws Exception {
        assertThat(
                        differences(
                                """
                                create table o(id int primary key)
                                create table p(id int primary key, o int not null, n int not null, unique u(o,n), constraint f foreign key(o) references o(id))
                                alter table p drop foreign key f
                                drop table p
                                create table ct(id int primary key auto_increment, name varchar(9))
                                create table pm(id int primary key auto_increment, ct int not null, c varchar(9) not null)
                                alter table pm add constraint u unique(ct,c)
                                alter table pm add constraint f foreign key(ct) references ct(id)
                                alter table ct modify name varchar(9) null
                                alter table ct drop column name
                                insert into ct values (1)
                                insert into pm values (1, 1, 'a')
                                insert into pm values (2, 2, 'a')
                                delete from ct
                                """))
                .isEmpty();
    }

    /// A nullable column may have no default, and an ENUM that has none needs none: a row that the
    /// backend refuses ends its applier.
    @Test
    @Timeout(120)
    void aNewRowNamesWhatHasNoDefault() throws Exception {
        assertThat(
                        differences(
                                """
                                CREATE TABLE t (id INT PRIMARY KEY, e ENUM('x','y') NOT NULL, n INT, f ENUM('x','y'))
                                INSERT INTO t (id) VALUES (1)
                                ALTER TABLE t ALTER COLUMN n DROP DEFAULT, ALTER COLUMN f DROP DEFAULT
                                INSERT INTO t (id, n) VALUES (2, 1), (3, 1)
                                INSERT INTO t (id, n, e, f) VALUES (4, 2, DEFAULT, DEFAULT)
                                INSERT INTO t (id, e) VALUES (5, 'x')
                                INSERT INTO t (id, e, n) VALUES (6, 'x', DEFAULT)
                                REPLACE INTO t (id) VALUES (7)
                                INSERT IGNORE INTO t (id) VALUES (8)
                                UPDATE t SET n = DEFAULT WHERE id = 1
                                UPDATE t SET e = DEFAULT WHERE id = 2
                                ALTER TABLE t ALTER COLUMN n SET DEFAULT NULL
                                INSERT INTO t (id, e) VALUES (9, 'y')
                                """))
                .isEmpty();
    }

    /// What H2 cannot compare is left to the backend, with what MySQL makes of it.
    @Test
    @Timeout(120)
    void aCheckThatH2CannotEvaluateRefusesItsRows() throws Exception {
        assertThat(
                        differences(
                                """
                                CREATE TABLE t (id INT PRIMARY KEY, c VARCHAR(9), CHECK (c <> 8))
                                INSERT INTO t VALUES (1, 'c')
                                INSERT INTO t VALUES (2, '8')
                                INSERT INTO t VALUES (3, '7')
                                """))
                .isEmpty();
    }

    private static List<String> differences(String statements) throws SQLException {
        Difference difference = new Difference(0);
        try (Sides sides = new Sides()) {
            for (String sql : statements.lines().toList()) {
                sides.run(sql, difference);
            }
            sides.compare(difference);
        }
        return difference.found;
    }

    @ParameterizedTest
    @Timeout(120)
    @ValueSource(longs = {1, 2, 3})
    void bothChangeTheSame(long seed) throws Exception {
        assertThat(block(seed, new TreeMap<>())).isEmpty();
    }

    /// `-Dquire.ddl.statements=N` says how many schema changes, `-Dquire.ddl.seed=N` where they
    /// begin.
    @Test
    @Tag("long")
    void bothChangeTheSameForLong() throws Exception {
        long count = Long.getLong("quire.ddl.statements", 2_000);
        long seed = Long.getLong("quire.ddl.seed", System.nanoTime());
        long begun = System.nanoTime();
        List<String> differences = new ArrayList<>();
        Map<String, Integer> outcomes = new TreeMap<>();
        for (long done = 0; done < count && differences.size() < MANY; done += BLOCK) {
            List<String> found = block(seed++, outcomes);
            found.forEach(System.out::println);
            differences.addAll(found);
        }
        System.out.printf(
                "up to seed %d in %d s: %s, %d differences%n",
                seed - 1,
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun),
                outcomes,
                differences.size());
        assertThat(differences).isEmpty();
    }

    private static List<String> block(long seed, Map<String, Integer> outcomes) throws Exception {
        Difference difference = new Difference(seed);
        RandomSchemaChanges random = new RandomSchemaChanges(seed);
        try (Sides sides = new Sides()) {
            for (int i = 0; i < BLOCK && difference.found.isEmpty(); i++) {
                random.learn(sides.theirs);
                while (random.changesRowsNext() && difference.found.isEmpty()) {
                    String sql = random.rows();
                    String outcome = sides.run(sql, difference);
                    if (RandomSchemaChanges.countsOnItsOwn(sql, outcome.equals("refused"))) {
                        sides.run(random.sameCounter(sql), difference);
                    }
                }
                outcomes.merge(sides.run(random.change(), difference), 1, Integer::sum);
            }
            if (difference.found.isEmpty()) {
                sides.compare(difference);
            }
        } catch (SQLException e) {
            difference.compare("the tier serves", e.toString(), "");
        }
        return difference.found;
    }

    /// What was found, after what.
    private static final class Difference {
        private final long seed;
        private final List<String> statements = new ArrayList<>();
        private final List<String> found = new ArrayList<>();

        Difference(long seed) {
            this.seed = seed;
        }

        void compare(String what, Object ours, Object theirs) {
            if (!ours.equals(theirs)) {
                found.add(
                        "seed %d, %s%n  ours:   %s%n  theirs: %s%n  after: %s"
                                .formatted(
                                        seed,
                                        what,
                                        ours,
                                        theirs,
                                        String.join(";\n    ", statements)));
            }
        }
    }

    private static final class Sides implements AutoCloseable {
        private final Connection ours = connect("jdbc:mysql://127.0.0.1:" + tier.port() + "/");
        private final Connection theirs = connect(other.jdbcUrl());
        private final Map<String, Long> epochs = epochs();

        Sides() throws SQLException {
            for (Connection side : List.of(ours, theirs)) {
                execute(side, "DROP DATABASE IF EXISTS " + DATABASE);
                execute(side, "CREATE DATABASE " + DATABASE);
                side.setCatalog(DATABASE);
            }
        }

        /// @return `done` or `refused`
        String run(String sql, Difference difference) {
            difference.statements.add(sql);
            String here = outcome(ours, sql);
            if (here.equals("error 1235")) {
                return "left out";
            }
            String there = outcome(theirs, sql);
            difference.compare(sql, here, there);
            return there.endsWith("rows") ? "done" : "refused";
        }

        /// The tier is verified first: that waits until the backend has applied the log.
        void compare(Difference difference) throws SQLException {
            var verification = tier.verify();
            try (Connection direct = connect(backend.jdbcUrl())) {
                for (String query : CATALOGUE) {
                    String sql = query.formatted(DATABASE);
                    difference.compare(sql, rows(direct, sql), rows(theirs, sql));
                }
            }
            List<String> tables =
                    rows(
                            theirs,
                            "SELECT table_name FROM information_schema.tables WHERE table_schema = '"
                                    + DATABASE
                                    + "'");
            for (String table : tables) {
                String sql = "SELECT * FROM " + table.substring(1, table.length() - 1);
                difference.compare(sql, sorted(ours, sql), sorted(theirs, sql));
            }
            difference.compare("tables that the tier holds", verification.tables(), tables.size());
            difference.compare("verify", verification.differences(), List.of());
            difference.compare("epochs", epochs(), epochs);
        }

        private static Map<String, Long> epochs() {
            Map<String, Long> epochs = new TreeMap<>();
            tier.replicas()
                    .forEach((name, status) ->
                            epochs.put(name + " " + status.state(), status.epoch()));
            return epochs;
        }

        @Override
        public void close() throws SQLException {
            ours.close();
            theirs.close();
        }
    }

    private static List<String> sorted(Connection connection, String sql) throws SQLException {
        return rows(connection, sql).stream().sorted().toList();
    }

    private static List<String> rows(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(String.valueOf(result.getString(i)));
                }
                rows.add(row.toString());
            }
            return rows;
        } catch (SQLException e) {
            return List.of("error " + e.getErrorCode() + " " + e.getMessage());
        }
    }

    private static String outcome(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return statement.getUpdateCount() + " rows";
        } catch (SQLException e) {
            boolean row = ROW_ERRORS.contains(e.getErrorCode()) && ROWS.matcher(sql).lookingAt();
            return row ? "a row is refused" : "error " + e.getErrorCode();
        }
    }

    private static Connection connect(String url) {
        try {
            return DriverManager.getConnection(
                    url + (url.contains("?") ? "&" : "?") + "useAffectedRows=true",
                    "quire",
                    "quire");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
