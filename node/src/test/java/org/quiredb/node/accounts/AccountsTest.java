package org.quiredb.node.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.quiredb.scheduler.account.Proofs.NATIVE;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.mysql.PacketWriter;

/// Clients of accounts of the backend get from the tier what they get from MariaDB: the same rows,
/// the same errors.
@Tag("slow")
final class AccountsTest {
    private static final List<String> READS =
            List.of(
                    "SELECT id, name FROM shop.item ORDER BY id",
                    "SELECT COUNT(*) FROM shop.secret",
                    "SELECT money FROM bank.account",
                    "SELECT price FROM shop.item WHERE id = 1",
                    "SELECT COUNT(*) FROM shop.item JOIN shop.secret USING (id)",
                    "SELECT id FROM shop.item WHERE id IN (SELECT id FROM shop.secret) ORDER BY id",
                    "SELECT (SELECT MAX(word) FROM shop.secret) AS w FROM shop.item WHERE id = 1",
                    "SELECT id FROM shop.item ORDER BY (SELECT MAX(money) FROM bank.account), id",
                    "SELECT id FROM shop.item UNION SELECT id FROM bank.account ORDER BY 1",
                    "WITH secret AS (SELECT id FROM shop.secret) SELECT COUNT(*) FROM secret",
                    "SELECT SHA1(MAX(word)) AS h FROM shop.secret",
                    "SELECT 1 FROM shop.nowhere",
                    "SELECT 1 FROM bank.nowhere",
                    "SELECT id FROM shop.item WHERE id = 1 FOR UPDATE",
                    "SELECT id FROM shop.secret WHERE id = 1 FOR UPDATE",
                    "SHOW DATABASES LIKE 'shop'",
                    "SHOW DATABASES LIKE 'bank'",
                    "SHOW TABLES FROM shop",
                    "SHOW TABLES FROM bank",
                    "SELECT table_name AS n FROM information_schema.tables"
                            + " WHERE table_schema IN ('shop', 'bank') ORDER BY 1",
                    "SELECT COUNT(*) > 0 AS n FROM mysql.user",
                    "SELECT COUNT(*) AS n FROM quire.commit_log",
                    "SELECT CURRENT_USER()",
                    "USE quire",
                    "USE mysql",
                    "USE bank",
                    "SELECT COUNT(*) FROM account",
                    "USE nowhere",
                    "USE shop",
                    "SELECT COUNT(*) FROM item",
                    "SELECT COUNT(*) FROM secret");

    private static final List<String> CHANGES =
            List.of(
                    "INSERT INTO shop.item VALUES (10, 'ten', 1)",
                    "INSERT INTO shop.item (id) VALUES ((SELECT MAX(id) + 100 FROM shop.secret))",
                    "INSERT INTO shop.item SELECT id + 20, word, 1 FROM shop.secret",
                    "INSERT INTO shop.item VALUES (1, 'x', 1) ON DUPLICATE KEY UPDATE price = 11",
                    "INSERT INTO shop.item VALUES (1, 'x', 1) ON DUPLICATE KEY UPDATE name = (SELECT MAX(word) FROM shop.secret)",
                    "INSERT INTO shop.item VALUES (1, 'x', 1) ON DUPLICATE KEY UPDATE price = price + 1",
                    "REPLACE INTO shop.item VALUES (2, 'second', 22)",
                    "UPDATE shop.item SET price = 7",
                    "UPDATE shop.item SET price = 8 WHERE id = 1",
                    "UPDATE shop.item SET price = price + 1",
                    "UPDATE shop.item SET price = (SELECT COUNT(*) FROM shop.secret)",
                    "UPDATE shop.item SET price = 9 ORDER BY id LIMIT 1",
                    "UPDATE shop.item JOIN shop.secret USING (id) SET price = 5",
                    "UPDATE shop.secret SET word = 'changed' WHERE id = 1",
                    "DELETE FROM shop.item WHERE id = 10",
                    "DELETE FROM shop.item WHERE id IN (SELECT id + 20 FROM shop.secret)",
                    "DELETE FROM shop.secret",
                    "DELETE FROM bank.account",
                    "DELETE FROM shop.item",
                    "INSERT INTO shop.item VALUES (1, 'one', 10), (2, 'two', 20)",
                    "SELECT COUNT(*) FROM shop.item",
                    "START TRANSACTION",
                    "UPDATE shop.item SET price = 6 WHERE id = 2",
                    "SELECT price FROM shop.item WHERE id = 2",
                    "SELECT COUNT(*) FROM shop.secret",
                    "SELECT SHA1(MAX(price)) AS h FROM shop.item",
                    "ROLLBACK",
                    "UPDATE mysql.user SET Host = '%'",
                    "DELETE FROM mysql.db",
                    "INSERT INTO sys.sys_config (variable) VALUES ('x')");

    private static final List<String> SCHEMA =
            List.of(
                    "CREATE TABLE shop.fresh (id INT PRIMARY KEY, engine INT, connection INT)",
                    "ALTER TABLE shop.fresh ADD v INT, ADD directory VARCHAR(9)",
                    "CREATE INDEX by_v ON shop.fresh (v)",
                    "DROP INDEX by_v ON shop.fresh",
                    "ALTER TABLE shop.item ADD note VARCHAR(9)",
                    "ALTER TABLE shop.item DROP COLUMN note",
                    "CREATE TABLE shop.copy LIKE shop.item",
                    "CREATE TABLE shop.stolen LIKE bank.account",
                    "RENAME TABLE shop.fresh TO shop.renamed",
                    "RENAME TABLE shop.renamed TO bank.renamed",
                    "ALTER TABLE shop.renamed RENAME TO bank.renamed",
                    "ALTER TABLE shop.renamed RENAME TO shop.fresh",
                    "DROP TABLE shop.fresh",
                    "DROP TABLE IF EXISTS shop.copy, bank.copy",
                    "DROP TABLE shop.copy",
                    "TRUNCATE TABLE bank.account",
                    "TRUNCATE shop.item",
                    "DROP TABLE bank.account",
                    "DROP TABLE mysql.db",
                    "ALTER TABLE mysql.db ADD x INT",
                    "CREATE DATABASE other",
                    "DROP DATABASE other",
                    "DROP DATABASE bank",
                    "CREATE DATABASE shop",
                    "CREATE TABLE nowhere.t (id INT PRIMARY KEY)");

    private static BothTls both;
    private static int addresses;
    @TempDir private Path folder;

    @BeforeAll
    static void start() throws Exception {
        both = new BothTls();
    }

    @AfterAll
    static void stop() throws Exception {
        both.close();
    }

    @ParameterizedTest
    @CsvSource({
        "reader, false",
        "reader, true",
        "one, false",
        "one, true",
        "writer, false",
        "columns, false",
        "columns, true",
        "owner, false",
        "nothing, false",
        "nothing, true",
        "net, false",
        "roled, false"
    })
    void whatAnAccountMayDoItMayDoAndNothingElse(String user, boolean prepared) throws Exception {
        List<String> sql =
                Stream.of(READS, CHANGES, SCHEMA)
                        .flatMap(List::stream)
                        .filter(each -> !prepared || !each.startsWith("USE"))
                        .filter(each -> !user.equals("columns") || isPlainRead(each))
                        .toList();
        restore();
        List<String> expected = Attempt.statements(both.mariaDb(), user, prepared, sql);
        List<String> actual = Attempt.statements(both.quire(), user, prepared, sql);

        assertThat(actual).isEqualTo(expected);
        assertThat(both.tier().verify().differences()).isEmpty();
    }

    /// Of each other, of rights and of roles, by those who may and those who may not.
    @ParameterizedTest
    @ValueSource(strings = {"reader", "owner", "nothing", "everything", "root"})
    void accountsAreChangedByWhomTheBackendLets(String user) throws Exception {
        for (int port : List.of(both.mariaDb(), both.backend())) {
            BothTls.asQuire(
                    port,
                    List.of(
                            "CREATE OR REPLACE USER root@'%' IDENTIFIED BY '"
                                    + BothTls.PASSWORD
                                    + "'"));
            BothTls.asQuire(port, List.of("GRANT ALL ON *.* TO root@'%' WITH GRANT OPTION"));
        }
        List<String> sql =
                List.of(
                        "CREATE USER app@'%' IDENTIFIED BY 'app'",
                        "CREATE USER IF NOT EXISTS app@'%' IDENTIFIED BY 'app'",
                        "CREATE USER app@'%'",
                        "GRANT SELECT ON shop.* TO app@'%' WITH GRANT OPTION",
                        "GRANT SELECT (id), UPDATE (price) ON shop.item TO app@'%'",
                        "GRANT SELECT ON shop.nowhere TO app@'%'",
                        "GRANT ALL ON *.* TO app@'%'",
                        "SHOW GRANTS FOR app@'%'",
                        "ALTER USER app@'%' IDENTIFIED BY 'other'",
                        "SET PASSWORD FOR app@'%' = PASSWORD('third')",
                        "CREATE ROLE cook",
                        "GRANT SELECT ON shop.* TO cook",
                        "GRANT cook TO app@'%'",
                        "SET DEFAULT ROLE cook FOR app@'%'",
                        "REVOKE cook FROM app@'%'",
                        "REVOKE SELECT ON shop.* FROM app@'%'",
                        "REVOKE ALL PRIVILEGES, GRANT OPTION FROM app@'%'",
                        "RENAME USER app@'%' TO app2@'%'",
                        "START TRANSACTION",
                        "DROP USER app2@'%', absent@'%'",
                        "ROLLBACK",
                        "DROP USER IF EXISTS app2@'%'",
                        "DROP ROLE cook",
                        "GRANT NONSENSE ON shop.* TO cook",
                        "FLUSH PRIVILEGES");
        List<String> expected = Attempt.statements(both.mariaDb(), user, false, sql);
        List<String> actual = Attempt.statements(both.quire(), user, false, sql);

        assertThat(actual).isEqualTo(expected);
    }

    private static int errorAsQuire(int port, String sql) {
        try {
            BothTls.asQuire(port, List.of(sql));
            return 0;
        } catch (SQLException e) {
            return e.getErrorCode();
        }
    }

    @Test
    void theAccountOfTheConfigurationGivesNobodyMoreThanItHas() throws Exception {
        BothTls.asQuire(
                both.backend(), List.of("CREATE OR REPLACE USER root@'%' IDENTIFIED BY 'r'"));
        BothTls.asQuire(both.backend(), List.of("GRANT SUPER ON *.* TO root@'%'"));
        BothTls.asQuire(both.backend(), List.of("CREATE OR REPLACE ROLE keeper"));
        BothTls.asQuire(both.backend(), List.of("GRANT FILE ON *.* TO keeper"));
        BothTls.asQuire(both.backend(), List.of("CREATE OR REPLACE ROLE keepers"));
        BothTls.asQuire(both.backend(), List.of("GRANT keeper TO keepers"));
        BothTls.asQuire(both.quire(), List.of("CREATE USER app@'%' IDENTIFIED BY 'app'"));
        BothTls.asQuire(both.quire(), List.of("GRANT ALL ON shop.* TO app@'%'"));
        for (String sql :
                List.of(
                        "GRANT ALL ON *.* TO app@'%'",
                        "GRANT FILE ON *.* TO app@'%'",
                        "GRANT USAGE ON *.* TO app@'%' WITH GRANT OPTION",
                        "GRANT SELECT ON `%`.* TO app@'%'",
                        "GRANT SELECT ON `m%`.* TO app@'%'",
                        "GRANT SELECT ON mysql.user TO app@'%'",
                        "GRANT keepers TO app@'%'",
                        "SET DEFAULT ROLE keepers FOR app@'%'",
                        "ALTER USER root IDENTIFIED BY 'x'",
                        "SET PASSWORD FOR 'root'@'%' = PASSWORD('x')",
                        "SET PASSWORD FOR root@'%'=PASSWORD('x')",
                        "CREATE OR REPLACE USER root@'%'",
                        "DROP USER app@'%', root@'%'",
                        "GRANT ALL ON shop.* TO root@'%' IDENTIFIED BY 'x'")) {
            assertThat(errorAsQuire(both.quire(), sql)).as(sql).isEqualTo(1227);
        }
        for (String sql :
                List.of(
                        "SET PASSWORD = PASSWORD('x')",
                        "ALTER USER CURRENT_USER() IDENTIFIED BY 'x'",
                        "CREATE USER quire@'10.0.0.1'",
                        "RENAME USER app@'%' TO 'quire'@'10.0.0.1'",
                        "DROP USER 'quire'@'127.0.0.1'",
                        "DROP USER IF EXISTS 'quire '@'127.0.0.1'",
                        "DROP USER IF EXISTS 'root '@'%'",
                        "RENAME USER app@'%' TO 'root '@'%'",
                        "SET PASSWORD FOR app@'%' = PASSWORD('x'), PASSWORD FOR root@'%' = PASSWORD('x')",
                        "SET @a = 1, PASSWORD FOR root@'%' = PASSWORD('x')",
                        "GRANT PROXY ON root TO app@'%'",
                        "CREATE /*!50000 OR REPLACE */ USER root@'%'")) {
            assertThat(errorAsQuire(both.quire(), sql)).as(sql).isEqualTo(1235);
        }
        assertThat(errorAsQuire(both.quire(), "GRANT ALL ON quire.* TO app@'%'")).isEqualTo(1044);
        BothTls.asQuire(both.quire(), List.of("DROP USER app@'%'"));
        BothTls.asQuire(both.backend(), List.of("DROP USER root@'%'"));
    }

    /// Rights on columns count where the backend answers only.
    private static boolean isPlainRead(String sql) {
        return READS.contains(sql) && !sql.contains("FOR UPDATE");
    }

    @Test
    void rightsOnColumnsLetNobodyChangeRows() throws Exception {
        List<String> sql =
                List.of(
                        "UPDATE shop.item SET price = 7",
                        "UPDATE shop.item SET name = 'x'",
                        "SELECT id FROM shop.item WHERE id = 1 FOR UPDATE");

        assertThat(Attempt.statements(both.quire(), "columns", false, sql))
                .allMatch(answer -> answer.endsWith("error 1142 42000"));
    }

    /// Whatever was done before.
    private static void restore() throws Exception {
        for (int port : List.of(both.mariaDb(), both.quire())) {
            BothTls.asQuire(
                    port,
                    List.of(
                            "DELETE FROM shop.item",
                            "DELETE FROM shop.secret",
                            "INSERT INTO shop.item VALUES (1, 'one', 10), (2, 'two', 20)",
                            "INSERT INTO shop.secret VALUES (1, 'open'), (2, 'sesame')"));
        }
    }

    @Test
    void theLogAndTheBackendsOwnDatabasesAreNobodys() throws Exception {
        for (String user : List.of("everything", "owner")) {
            try (Connection connection =
                            DriverManager.getConnection(
                                    "jdbc:mysql://127.0.0.1:" + both.quire() + "/",
                                    user,
                                    BothTls.PASSWORD);
                    Statement statement = connection.createStatement()) {
                assertDenied(statement);
            }
        }
        try (Connection connection =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:" + both.quire() + "/", "quire", "quire");
                Statement statement = connection.createStatement()) {
            assertDenied(statement);
        }
    }

    private static void assertDenied(Statement statement) {
        for (String sql :
                List.of(
                        "USE quire",
                        "SELECT * FROM quire.commit_log",
                        "SELECT SHA1(class_name) FROM `quire` . applied",
                        "SELECT * FROM /*! quire.*/applied",
                        "SELECT /*!999999 ' */ * FROM quire.applied -- '",
                        "SHOW TABLES FROM quire",
                        "SHOW CREATE DATABASE quire",
                        "DESCRIBE quire.applied",
                        "SET @x = (SELECT MAX(commit_number) FROM quire.applied)",
                        "DELETE FROM quire.applied",
                        "DROP TABLE quire.applied",
                        "DROP TABLE /*!999999 ' */ quire.applied -- '",
                        "CREATE VIEW shop.v AS SELECT * FROM quire.applied",
                        "DROP TABLE shop.item, quire.applied",
                        "DROP DATABASE quire",
                        "CREATE TABLE quire.mine (id INT PRIMARY KEY)",
                        "CREATE TABLE shop.mine LIKE quire.applied",
                        "RENAME TABLE shop.item TO quire.item",
                        "ALTER TABLE mysql.db ADD x INT",
                        "DROP DATABASE mysql",
                        "DROP TABLE sys.sys_config",
                        "CREATE TABLE performance_schema.x (id INT PRIMARY KEY)")) {
            assertThat(number(statement, sql)).as(sql).isIn(1044, 1142, 1146);
        }
    }

    private static int number(Statement statement, String sql) {
        try {
            statement.execute(sql);
            return 0;
        } catch (java.sql.SQLException e) {
            return e.getErrorCode();
        }
    }

    /// Of what Quire's own account would run, only what is understood is run for others.
    @Test
    void ddlThatReachesFurtherIsForAccountsWithEveryRight() throws Exception {
        try (Connection connection =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:" + both.quire() + "/shop",
                                "owner",
                                BothTls.PASSWORD);
                Statement statement = connection.createStatement()) {
            for (String sql :
                    List.of(
                            "CREATE VIEW shop.v AS SELECT * FROM bank.account",
                            "CREATE VIEW shop.v AS SELECT id FROM shop.item",
                            "CREATE TABLE shop.c AS SELECT * FROM bank.account",
                            "CREATE TABLE shop.c (id INT PRIMARY KEY) /*! SELECT id FROM bank.account */",
                            "CREATE TABLE shop.c (id INT) ENGINE CONNECT TABLE_TYPE = CSV FILE_NAME = '/etc/passwd'",
                            "CREATE TABLE shop.c (id INT) ENGINE = FEDERATED CONNECTION = 'mysql://x'",
                            "CREATE TABLE shop.c (id INT PRIMARY KEY) /*!999999 ' */ SELECT id FROM bank.account -- '",
                            "CREATE TABLE shop.c /*!999999 (LIKE shop.item) */ LIKE bank.account",
                            "CREATE SEQUENCE shop.s")) {
                assertThat(number(statement, sql)).as(sql).isIn(1142, 1227);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "reader, right",
        "reader, wrong",
        "reader, none",
        "one, right",
        "one, another",
        "nobody, right",
        "nobody, none",
        "free, none",
        "free, wrong",
        "tls, right",
        "tls, wrong",
        "x509, right",
        "locked, right",
        "locked, wrong",
        "elsewhere, right",
        "net, right",
        "quire, quire",
        "quire, wrong"
    })
    void whoMayLogInMayAndNobodyElse(String user, String which) {
        String password =
                switch (which) {
                    case "right" -> BothTls.PASSWORD;
                    case "none" -> "";
                    default -> which;
                };
        // Each from an address of its own, which has made no mistakes yet.
        String from =
                Set.of("one", "quire").contains(user) ? "127.0.0.1" : "127.0.9." + ++addresses;
        for (String wish :
                List.of(
                        "?sslMode=DISABLED",
                        "?sslMode=REQUIRED",
                        "shop?sslMode=DISABLED",
                        "bank?sslMode=REQUIRED",
                        "nowhere?sslMode=REQUIRED")) {
            String options = wish + "&localSocketAddress=" + from;
            String expected = Attempt.login(both.mariaDb(), user, password, options);

            assertThat(Attempt.login(both.quire(), user, password, options))
                    .as(options)
                    .isEqualTo(expected);
        }
    }

    @Test
    void whatIsStoredIsOfWhoHasMadeIt() throws Exception {
        try (Connection connection = connect(both.quire(), "everything");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE ALGORITHM = MERGE VIEW shop.v AS SELECT id FROM shop.item");
            statement.execute("ALTER VIEW shop.v AS SELECT id, name FROM shop.item");
            statement.execute("CREATE OR REPLACE FUNCTION shop.f() RETURNS INT RETURN 1");
            for (String made :
                    List.of(
                            "SELECT definer FROM information_schema.views WHERE table_name = 'v'",
                            "SELECT definer FROM information_schema.routines WHERE routine_name = 'f'")) {
                try (ResultSet row = statement.executeQuery(made)) {
                    assertThat(row.next()).as(made).isTrue();
                    assertThat(row.getString(1)).isEqualTo("everything@%");
                }
            }
            statement.execute("DROP VIEW shop.v");
            statement.execute("DROP FUNCTION shop.f");
        }
    }

    @Test
    void aChangeOfRightsIsSeenByOpenSessionsAndOfAPasswordByTheNextLogin() throws Exception {
        BothTls.asQuire(
                both.backend(),
                List.of(
                        "CREATE OR REPLACE USER changing@'%' IDENTIFIED BY '"
                                + BothTls.PASSWORD
                                + "'",
                        "GRANT SELECT, UPDATE ON shop.item TO changing@'%'"));
        try (Connection connection =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:" + both.quire() + "/shop",
                                "changing",
                                BothTls.PASSWORD);
                Statement statement = connection.createStatement()) {
            assertThat(number(statement, "UPDATE item SET price = 1")).isZero();
            BothTls.asQuire(
                    both.backend(),
                    List.of(
                            "REVOKE UPDATE ON shop.item FROM changing@'%'",
                            "SET PASSWORD FOR changing@'%' = PASSWORD('new')"));
            long beganNanos = System.nanoTime();
            while (number(statement, "UPDATE item SET price = 2") == 0) {
                assertThat(System.nanoTime() - beganNanos).isLessThan(TimeUnit.SECONDS.toNanos(10));
                Thread.sleep(50);
            }
            assertThat(number(statement, "UPDATE item SET price = 2")).isEqualTo(1142);
        }
        long beganNanos = System.nanoTime(); // a login reads the accounts anew after a second
        while (!Attempt.login(both.quire(), "changing", BothTls.PASSWORD, "")
                .equals("error 1045 28000")) {
            assertThat(System.nanoTime() - beganNanos).isLessThan(TimeUnit.SECONDS.toNanos(10));
        }
        assertThat(Attempt.login(both.quire(), "changing", "new", "")).isEqualTo("in");
    }

    @Test
    void aPasswordThatIsTooOldLetsNobodyIn() throws Exception {
        String aged = "CREATE OR REPLACE USER aged@'%' IDENTIFIED BY '" + BothTls.PASSWORD + "'";
        BothTls.asQuire(both.backend(), List.of(aged + " PASSWORD EXPIRE INTERVAL 2 DAY"));
        assertThat(Attempt.login(both.quire(), "aged", BothTls.PASSWORD, "")).isEqualTo("in");
        BothTls.asQuire(
                both.backend(),
                List.of(
                        "UPDATE mysql.global_priv SET Priv = JSON_SET(Priv, '$.password_last_changed',"
                                + " UNIX_TIMESTAMP() - 3 * 86400) WHERE User = 'aged'",
                        "FLUSH PRIVILEGES"));
        long beganNanos = System.nanoTime();
        while (Attempt.login(both.quire(), "aged", BothTls.PASSWORD, "").equals("in")) {
            assertThat(System.nanoTime() - beganNanos).isLessThan(TimeUnit.SECONDS.toNanos(10));
        }
        assertThat(Attempt.login(both.quire(), "aged", BothTls.PASSWORD, ""))
                .startsWith("error 1862");
        BothTls.asQuire(both.backend(), List.of(aged + " PASSWORD EXPIRE NEVER"));
    }

    @Test
    void whoChangesTheUserIsWaitedForAsLongAsAtALogin() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), both.quire())) {
            socket.setSoTimeout(30_000);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            packet(in);
            PacketWriter login = new PacketWriter().int4(0x8_8200).int4(1 << 24).int1(45).zeros(23);
            send(socket, 1, login.nullTerminated("free").int1(0).nullTerminated(NATIVE));
            assertThat(packet(in)[0]).isZero();
            send(socket, 0, new PacketWriter().int1(0x11).nullTerminated("reader").int1(0));
            assertThat(packet(in)[0]).isEqualTo((byte) 0xFE);

            assertThat(in.read()).isEqualTo(-1);
        }
    }

    private static byte[] packet(DataInputStream in) throws IOException {
        byte[] header = in.readNBytes(4);
        return in.readNBytes((header[0] & 0xFF) | (header[1] & 0xFF) << 8);
    }

    private static void send(Socket socket, int sequence, PacketWriter payload) throws IOException {
        byte[] bytes = payload.toByteArray();
        socket.getOutputStream()
                .write(
                        new PacketWriter()
                                .int3(bytes.length)
                                .int1(sequence)
                                .raw(bytes)
                                .toByteArray());
    }

    /// It carries the settings of its session, which the tier's own account makes on the backend.
    @Test
    void aSchemaChangeRunsNoneOfItsClientsExpressions() throws Exception {
        try (Connection connection = connect(both.quire(), "owner");
                Statement statement = connection.createStatement()) {
            statement.execute("SET @x = IF(CURRENT_USER() LIKE 'quire@%', SLEEP(25), 0)");
            statement.execute("SET SESSION sql_mode = 'STRICT_ALL_TABLES'");
            long beganNanos = System.nanoTime();
            statement.execute("CREATE TABLE shop.asleep (id INT PRIMARY KEY)");
            statement.execute("DROP TABLE shop.asleep");
            assertThat(System.nanoTime() - beganNanos).isLessThan(TimeUnit.SECONDS.toNanos(20));
        }
    }

    /// The loggers keep one another out by them.
    @Test
    void theTiersNamedLocksAreNoClients() throws Exception {
        try (Connection connection = connect(both.quire(), "nothing");
                Statement statement = connection.createStatement()) {
            for (String name : List.of("quire/logger", "quire/log", "quire.shop")) {
                try (ResultSet row = statement.executeQuery("SELECT GET_LOCK('" + name + "', 0)")) {
                    assertThat(row.next()).isTrue();
                    assertThat(row.getInt(1)).as(name).isOne();
                }
            }
            BothTls.asQuire(
                    both.quire(),
                    List.of(
                            "CREATE TABLE shop.locked (id INT PRIMARY KEY)",
                            "DROP TABLE shop.locked"));
        }
    }

    /// A server settles some rights when a connection is opened, and these are kept open.
    @ParameterizedTest
    @ValueSource(strings = {"*.*", "shop.*"})
    void aRightThatIsTakenAwayIsGoneOnTheBackendToo(String where) throws Exception {
        String reading = "SELECT SHA1(MAX(price)) FROM item";
        String user = where.equals("*.*") ? "revoked" : "revoked_in_shop";
        BothTls.asQuire(
                both.backend(),
                List.of(
                        "CREATE OR REPLACE USER "
                                + user
                                + "@'%' IDENTIFIED BY '"
                                + BothTls.PASSWORD
                                + "'",
                        "GRANT SELECT ON shop.secret TO " + user + "@'%'",
                        "GRANT SELECT ON " + where + " TO " + user + "@'%'"));
        try (Connection connection =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:" + both.quire() + "/shop",
                                user,
                                BothTls.PASSWORD);
                Statement statement = connection.createStatement()) {
            assertThat(number(statement, reading)).isZero();
            BothTls.asQuire(
                    both.backend(),
                    List.of("REVOKE SELECT ON " + where + " FROM " + user + "@'%'"));
            long beganNanos = System.nanoTime();
            while (number(statement, reading) == 0) {
                assertThat(System.nanoTime() - beganNanos).isLessThan(TimeUnit.SECONDS.toNanos(10));
                Thread.sleep(50);
            }
            assertThat(number(statement, reading)).isEqualTo(1142);
            assertThat(number(statement, "SELECT * FROM item")).isEqualTo(1142);
            assertThat(number(statement, "SELECT SHA1(MAX(word)) FROM secret")).isZero();
        }
    }

    @Test
    void whatAnAccountMayIsNotAskedForWithEachStatement() throws Exception {
        int reads = 2_000;
        try (Connection reader = connect(both.quire(), "reader");
                Statement statement = reader.createStatement()) {
            statement.execute("SELECT price FROM shop.item WHERE id = 1");
            long before = questions();
            for (int i = 0; i < reads; i++) {
                statement.execute("SELECT price FROM shop.item WHERE id = " + i);
            }
            assertThat(questions() - before).isLessThan(reads / 2);
        }
    }

    /// Statements that the database behind the tier has been sent.
    private static long questions() throws Exception {
        try (Connection connection =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:" + both.backend() + "/",
                                "quire",
                                "quire");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW GLOBAL STATUS LIKE 'Questions'")) {
            row.next();
            return row.getLong(2);
        }
    }

    private static Connection connect(int port, String user) throws Exception {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + port + "/", user, BothTls.PASSWORD);
    }

    /// Without PROCESS only the account's own.
    private static List<Long> listed(Statement statement) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery("SHOW PROCESSLIST")) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }

    @Test
    void anAccountEndsItsOwnConnectionsOnly() throws Exception {
        try (Connection reader = connect(both.quire(), "reader");
                Connection other = connect(both.quire(), "reader");
                Connection one = connect(both.quire(), "writer");
                Connection everything = connect(both.quire(), "everything");
                Statement killing = reader.createStatement();
                Statement all = everything.createStatement()) {
            assertThat(listed(killing)).contains(id(reader), id(other)).doesNotContain(id(one));
            assertThat(listed(all)).contains(id(reader), id(other), id(one), id(everything));
            assertThat(number(killing, "KILL " + id(one))).isEqualTo(1095);
            assertThat(one.isValid(5)).isTrue();
            assertThat(number(killing, "KILL " + id(other))).isZero();
            assertThat(number(all, "KILL " + id(one))).isZero();
            for (Connection killed : List.of(other, one)) {
                assertThat(killed.isValid(5)).isFalse();
            }
        }
    }

    private static long id(Connection connection) throws Exception {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT CONNECTION_ID()")) {
            row.next();
            assertThat(row.getMetaData().getColumnLabel(1)).isEqualTo("CONNECTION_ID()");
            return row.getLong(1);
        }
    }

    /// By a connection of its own account on the backend, which may do that.
    @Test
    void whatRunsOnTheBackendForAnAccountIsStoppedThere() throws Exception {
        try (Connection reader = connect(both.quire(), "reader");
                Statement statement = reader.createStatement()) {
            statement.setQueryTimeout(1); // the driver's KILL QUERY
            long beganNanos = System.nanoTime();
            assertThatThrownBy(() -> statement.execute("SELECT SLEEP(60) FROM shop.item"))
                    .isInstanceOf(SQLTimeoutException.class);
            assertThat(System.nanoTime() - beganNanos).isLessThan(TimeUnit.SECONDS.toNanos(30));
            statement.setQueryTimeout(0);
            assertThat(number(statement, "SELECT SHA1(name) FROM shop.item")).isZero();
        }
    }

    /// Whose tables a change is of is told by the FROM that it stands on, not by an inner one.
    @Test
    void aNameThatIsUsedTwiceGivesNoRights() throws Exception {
        try (Connection writer = connect(both.quire(), "one");
                Statement statement = writer.createStatement()) {
            for (String sql :
                    List.of(
                            "UPDATE shop.secret x JOIN shop.item i ON x.id = i.id"
                                    + " SET x.word = (SELECT MAX(name) FROM shop.item x)",
                            "UPDATE bank.account SET money = 0 WHERE id IN (SELECT id FROM shop.item account)",
                            "DELETE x FROM shop.secret x JOIN shop.item i USING (id)"
                                    + " WHERE x.id IN (SELECT id FROM shop.item x)")) {
                assertThat(number(statement, sql)).as(sql).isEqualTo(1142);
            }
        }
    }

    @Test
    void aSessionThatChangesItsUserHasTheRightsOfTheOther() throws Exception {
        try (Connection connection =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:" + both.quire() + "/", "quire", "quire");
                Statement statement = connection.createStatement()) {
            assertThat(number(statement, "SELECT * FROM bank.account")).isZero();
            connection
                    .unwrap(com.mysql.cj.jdbc.JdbcConnection.class)
                    .changeUser("reader", BothTls.PASSWORD);
            assertThat(number(statement, "SELECT * FROM bank.account")).isEqualTo(1142);
            assertThat(number(statement, "SELECT * FROM shop.item")).isZero();
        }
    }

    /// The server's own client of 11.4 and PHP, each with and without TLS.
    @ParameterizedTest
    @CsvSource({
        "reader, right",
        "reader, wrong",
        "tls, right",
        "nobody, right",
        "quire, quire",
        "one, right"
    })
    void otherClientsAreAnsweredAlike(String user, String which) throws Exception {
        String password = which.equals("right") ? BothTls.PASSWORD : which;
        String sql =
                "SELECT COUNT(*) FROM shop.item; UPDATE shop.secret SET word = 'x' WHERE id = 9";
        for (boolean tls : List.of(true, false)) {
            List<String> answers = new ArrayList<>();
            for (int port : List.of(both.mariaDb(), both.quire())) {
                answers.add(mariaDbClient(port, user, password, tls, "127.0.0.1", sql));
            }
            assertThat(answers.get(1)).isEqualTo(answers.get(0));
            answers.clear();
            for (int port : List.of(both.mariaDb(), both.quire())) {
                answers.add(mysqli(port, user, password, tls));
            }
            assertThat(answers.get(1)).isEqualTo(answers.get(0));
        }
    }

    /// On another host than 127.0.0.1 that client trusts a certificate that nobody vouches for only
    /// when the server proves to know the password.
    @Test
    void theClientOfMariaDbTrustsTheCertificateThatIsMade() throws Exception {
        String sql = "SELECT COUNT(*) FROM shop.secret; SHOW STATUS LIKE 'Ssl_cipher_none'";
        for (String user : List.of("reader", "quire")) {
            String password = user.equals("quire") ? "quire" : BothTls.PASSWORD;
            String expected = mariaDbClient(both.mariaDb(), user, password, true, "localhost", sql);

            assertThat(expected).startsWith("0 ");
            assertThat(mariaDbClient(both.quire(), user, password, true, "localhost", sql))
                    .isEqualTo(expected);
        }
    }

    private String mariaDbClient(
            int port, String user, String password, boolean tls, String host, String sql)
            throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                both.programs().resolve("mariadb").toString(),
                                "--no-defaults",
                                "--protocol=tcp",
                                "--host=" + host,
                                "--port=" + port,
                                "--user=" + user,
                                "--password=" + password,
                                "--default-character-set=utf8mb4",
                                "--skip-column-names",
                                "--execute=" + sql));
        if (!tls) {
            command.add("--skip-ssl");
        }
        return run(command);
    }

    private String mysqli(int port, String user, String password, boolean tls) throws Exception {
        Path script = folder.resolve("login.php");
        Files.writeString(
                script,
                """
                <?php
                mysqli_report(MYSQLI_REPORT_OFF);
                $c = mysqli_init();
                [$self, $port, $user, $password, $tls] = $argv;
                $flags = $tls ? MYSQLI_CLIENT_SSL | MYSQLI_CLIENT_SSL_DONT_VERIFY_SERVER_CERT : 0;
                if (!@$c->real_connect('127.0.0.1', $user, $password, null, $port, null, $flags)) {
                    echo mysqli_connect_errno(), "\\n";
                    exit(0);
                }
                foreach (['SELECT COUNT(*) FROM shop.item', 'SELECT COUNT(*) FROM bank.account',
                          'UPDATE shop.secret SET word = 1 WHERE id = 9'] as $sql) {
                    $result = $c->query($sql);
                    echo $c->errno, ' ', $c->sqlstate, ' ',
                        $result instanceof mysqli_result ? $result->fetch_row()[0] : '', "\\n";
                }
                """);
        return run(
                List.of(
                        "php",
                        script.toString(),
                        Integer.toString(port),
                        user,
                        password,
                        tls ? "1" : ""));
    }

    private String run(List<String> command) throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        Process client =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile())
                        .start();
        assertThat(client.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return client.exitValue() + " " + Files.readString(out).strip();
    }
}
