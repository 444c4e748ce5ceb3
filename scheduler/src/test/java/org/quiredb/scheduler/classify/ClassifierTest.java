package org.quiredb.scheduler.classify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.message.SavepointStep;
import org.quiredb.common.message.SavepointStep.Kind;
import org.quiredb.common.schema.SchemaNames;
import org.quiredb.scheduler.account.Need;
import org.quiredb.scheduler.account.Privilege;
import org.quiredb.sql.command.Kill;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.tree.TableName;

class ClassifierTest {
    private final Classifier classifier = new Classifier(100, true);

    private Classification.Read read(String sql) {
        return (Classification.Read) classifier.classify(sql);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT FROM thing", "SELECT a FROM WHERE b = 1"})
    void aWordThatMySqlReservesIsNeverTakenForAName(String sql) {
        assertThat(read(sql).tables()).isEmpty();
        assertThat(read(sql).backendReason()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WITH x AS (SELECT 1) DELETE FROM t",
                "WITH x AS (SELECT 1) DELETE a FROM t a JOIN x",
                "with recursive x AS (SELECT 1) update t, x SET t.v = 1",
                "WITH x AS (SELECT 1) /*!80000 DELETE FROM t WHERE EXISTS ( */ SELECT 1 /*!80000 ) */",
                "WITH x AS (SELECT 1) /*!99999 SELECT ( */ DELETE FROM t"
            })
    void whatIsChangedBehindWithIsNoRead(String sql) {
        assertThat(classifier.classify(sql)).isInstanceOf(Classification.Update.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WITH `delete` AS (SELECT 1) SELECT `delete`.update FROM `delete`",
                "WITH x AS (SELECT a FROM t) SELECT a FROM x FOR UPDATE",
                "WITH x AS (SELECT INSERT(a, 1, 1, ?), REPLACE(a, ?, ?) FROM t) SELECT 1 FROM x"
            })
    void otherStatementsThatBeginWithWithAreReads(String sql) {
        assertThat(classifier.classify(sql)).isNotInstanceOf(Classification.Update.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1 INTO OUTFILE ?",
                "SELECT a FROM t /*!50000 INTO OUTFILE ? */",
                "SELECT a FROM t INTO /* x */ DUMPFILE ?",
                "(SELECT LOAD_FILE (?))",
                "INSERT INTO t VALUES (`load_file`(?))",
                "SET @x = Load_File(?)",
                "DO LOAD_FILE(?)",
                "CREATE TABLE t (i INT) DATA DIRECTORY = ?"
            })
    void filesOnTheServersHostAreOutOfReach(String sql) {
        assertThat(classifier.classify(sql)).isInstanceOf(Classification.Unsupported.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT outfile FROM t", "SELECT load_file FROM directory"})
    void theirNamesAreNames(String sql) {
        assertThat(classifier.classify(sql)).isInstanceOf(Classification.Read.class);
    }

    @Test
    void packagesAndViewsThatHaveEffectsAreRefused() {
        for (String sql :
                List.of(
                        "CREATE PACKAGE p PROCEDURE q()",
                        "CREATE DEFINER=a@b PACKAGE BODY p PROCEDURE q() BEGIN",
                        "DROP PACKAGE BODY p",
                        "CREATE VIEW v AS SELECT get_lock('a', 0)",
                        "ALTER VIEW v AS SELECT 1 FROM t WHERE `release_all_locks`() = 1",
                        "CREATE VIEW v AS SELECT NEXT VALUE FOR s",
                        "CREATE OR REPLACE VIEW v AS SELECT NEXTVAL(s)")) {
            assertThat(classifier.classify(sql))
                    .as(sql)
                    .isInstanceOf(Classification.Unsupported.class);
        }
        assertThat(classifier.classify("CREATE VIEW v AS SELECT get_lock, nextval FROM package"))
                .isInstanceOf(Classification.SchemaChange.class);
    }

    /// A query of no known table waits for everything, and is laid over a transaction's own rows.
    @Test
    void whatOnlyTheOtherKindOfServerBringsAlongMayBeStored() {
        Classifier mySql = new Classifier(100, false);
        for (String call : List.of("any_value(1)", "uuid_to_bin('x')", "st_total()")) {
            assertThat(classifier.classify("SELECT " + call))
                    .isInstanceOf(Classification.Read.class);
        }
        assertThat(mySql.classify("SELECT uuid_to_bin('x')"))
                .isEqualTo(new Classification.Information(false));
        assertThat(mySql.classify("SELECT nvl(1, 2)")).isInstanceOf(Classification.Read.class);
        for (String call : List.of("nvl(1, 2)", "st_astext(point(1, 2))", "uuid()")) {
            assertThat(classifier.classify("SELECT " + call))
                    .as(call)
                    .isEqualTo(new Classification.Information(false));
        }
    }

    @Test
    void joinsSubqueriesAndUnionsNameTheirTables() {
        Classification.Read read =
                read(
                        "/* hint */ SELECT a.x, COUNT(*) FROM `a` JOIN shop.b ON a.i = b.i WHERE a.y IN (SELECT y FROM c) GROUP BY a.x ORDER BY 2 DESC LIMIT ?, 50");
        assertThat(read.tables())
                .containsExactlyInAnyOrder(
                        new TableName("", "a"), new TableName("shop", "b"), new TableName("", "c"));
        assertThat(read.backendReason()).isEmpty();
        assertThat(read("SELECT 1 FROM a UNION SELECT 2 FROM b").tables()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT i_id, i_title FROM item, author WHERE author.a_id = item.i_a_id AND item.i_title LIKE ? ORDER BY item.i_title LIMIT 50",
                "SELECT i_id, SUM(ol_qty) AS qty FROM item, (SELECT o_id FROM orders ORDER BY o_id DESC LIMIT 3333) AS recent, order_line WHERE ol_o_id = recent.o_id AND ol_i_id = i_id GROUP BY i_id ORDER BY qty DESC LIMIT 50",
                "SELECT MAX(o_id) FROM orders WHERE o_c_id = ?",
                "SELECT a.*, b.n FROM a LEFT JOIN b USING (i) WHERE a.x BETWEEN ? AND ? AND b.n IS NOT NULL"
            })
    void theCommonFormsRunOnReplicas(String sql) {
        assertThat(read(sql).backendReason()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a || b FROM t",
                "SELECT GROUP_CONCAT(a LIMIT 1) FROM t",
                "SELECT ROW_NUMBER() OVER (ORDER BY a) FROM t",
                "SELECT @x, a FROM t"
            })
    void whatMySqlComputesDifferentlyIsForTheBackend(String sql) {
        assertThat(read(sql).backendReason()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a / 2 FROM t",
                "SELECT CONCAT(a, b) FROM t",
                "SELECT AVG(a) FROM t",
                "SELECT CAST(a AS CHAR) FROM t",
                "SELECT NOW(), a FROM t",
                "SELECT a FROM t WHERE a REGEXP 'x'",
                "SELECT a % 3 FROM t",
                "SELECT a DIV 3 FROM t",
                "SELECT a FROM t WHERE d > DATE_SUB(?, INTERVAL 1 DAY)"
            })
    void functionsAreForReplicasWhereNoSettingChangesThem(String sql) {
        assertThat(read(sql).backendReason()).isEmpty();
        assertThat(read(sql).computes()).isTrue();
    }

    @Test
    void lockingReadsBelongToUpdates() {
        assertThat(read("SELECT * FROM t WHERE i = ? FOR UPDATE").locking()).isTrue();
    }

    @Test
    void updatesNameTheirTables() {
        for (String sql :
                List.of(
                        "INSERT INTO t (a) VALUES (?)",
                        "UPDATE t SET a = a + 1 WHERE i = ?",
                        "DELETE FROM t WHERE i = ?",
                        "REPLACE INTO t VALUES (1)",
                        "INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE a = 2")) {
            assertThat(classifier.classify(sql))
                    .as(sql)
                    .isInstanceOfSatisfying(
                            Classification.Update.class,
                            update ->
                                    assertThat(update.tables())
                                            .containsExactly(new TableName("", "t")));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "false | SELECT a, COUNT( * ), 'x', IFNULL(b, 'x') FROM t",
                "false | SELECT   a,   b + 1 FROM t WHERE c = \"x\"",
                "false | SELECT IFNULL(b,  \"x\") AS c, \"y\" FROM t",
                "true | SELECT a, IFNULL(b, \"x\") FROM t",
                "true | SELECT b  + 1 FROM t",
                "true | SELECT b /* more */ + 1 FROM t",
                "true | SELECT b  + 1, b + 1 FROM t",
                "true | SELECT IFNULL(b, 0x41) FROM t",
                "true | SELECT IFNULL(b, 'x') FROM t UNION SELECT c FROM u WHERE _ucs2'ab' = d"
            })
    void aColumnNamedAfterItsTextIsTheBackendsWhereTheClientsTextWasAnother(
            boolean backend, String sql) {
        Classification.Read read =
                (Classification.Read) classifier.classify(NormalizedSql.of(sql).text());
        assertThat(!read.backendReason(sql).isEmpty()).isEqualTo(backend);
    }

    @Test
    void namesThatAnotherDialectReservesAreNames() {
        TableName last = new TableName("", "last");
        assertThat(classifier.classify("SELECT number, MAX(number) FROM last WHERE number > ?"))
                .isEqualTo(
                        new Classification.Read(
                                Set.of(last),
                                false,
                                List.of("MAX(number)"),
                                "",
                                false,
                                false,
                                List.of(Need.on(Privilege.SELECT, "", "last"))));
        assertThat(classifier.classify("UPDATE last SET number = ?"))
                .isEqualTo(
                        new Classification.Update(
                                Set.of(last),
                                Set.of(last),
                                List.of(Need.on(Privilege.UPDATE, "", "last")),
                                false,
                                false));
    }

    @Test
    void whatCannotBeParsedIsForTheBackendToReadAndForTheMasterToLock() {
        assertThat(classifier.classify("SELECT FROM WHERE"))
                .isInstanceOfSatisfying(
                        Classification.Read.class,
                        read -> {
                            assertThat(read.backendReason()).isNotEmpty();
                            assertThat(read.locking()).isFalse();
                        });
        assertThat(classifier.classify("SELECT FROM WHERE FOR UPDATE"))
                .isInstanceOfSatisfying(
                        Classification.Read.class, read -> assertThat(read.locking()).isTrue());
    }

    @Test
    void theRestGoesByItsFirstWord() {
        assertThat(classifier.classify("-- nothing\n ")).isEqualTo(new Classification.Empty());
        assertThat(classifier.classify("select @@version"))
                .isEqualTo(new Classification.Information(false));
        assertThat(classifier.classify("SELECT * FROM information_schema.tables"))
                .isEqualTo(new Classification.Information(true));
        assertThat(classifier.classify("SHOW TABLES"))
                .isEqualTo(new Classification.Information(true));
        assertThat(classifier.classify("START TRANSACTION READ  ONLY"))
                .isEqualTo(new Classification.Begin(Classification.Access.READ_ONLY, false));
        assertThat(classifier.classify("ROLLBACK TO SAVEPOINT `x y`"))
                .isEqualTo(
                        new Classification.Savepoint(new SavepointStep(Kind.ROLL_BACK_TO, "x y")));
        assertThat(classifier.classify("rollback work to x"))
                .isEqualTo(new Classification.Savepoint(new SavepointStep(Kind.ROLL_BACK_TO, "x")));
        assertThat(classifier.classify("COMMIT AND NO CHAIN"))
                .isEqualTo(new Classification.Ending(true, false));
        assertThat(classifier.classify("rollback work and chain no release"))
                .isEqualTo(new Classification.Ending(false, true));
        assertThat(classifier.classify("COMMIT AND NO CHAIN RELEASE"))
                .isInstanceOf(Classification.Unsupported.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "COMMIT foo",
                "COMMIT CHAIN",
                "COMMIT TO x",
                "COMMIT AND CHAIN AND CHAIN",
                "COMMIT AND CHAIN RELEASE",
                "COMMIT NO RELEASE AND CHAIN",
                "ROLLBACK TRANSACTION",
                "ROLLBACK AND CHAIN TO x",
                "ROLLBACK TO x AND CHAIN",
                "ROLLBACK WORK AND NO"
            })
    void whatIsNoEndOfATransactionEndsNone(String sql) {
        assertThat(classifier.classify(sql)).isInstanceOf(Classification.Mistake.class);
    }

    @Test
    void aSchemaChangeIsOfTheDatabaseThatItNamesFirst() {
        for (String sql :
                List.of(
                        "create table if not exists shop.t (i int)",
                        "DROP INDEX i ON shop.t",
                        "RENAME TABLE `shop`.a TO b",
                        "CREATE DATABASE IF NOT EXISTS `shop`")) {
            assertThat(schemaChange(sql).database()).as(sql).isEqualTo("shop");
        }
        assertThat(schemaChange("CREATE TABLE t LIKE shop.t").database()).isEmpty();
        assertThat(
                        schemaChange(
                                        "CREATE DEFINER = a@b TRIGGER t AFTER INSERT ON u FOR EACH ROW UPDATE s.v SET i = 1")
                                .names()
                                .tables())
                .containsExactly(new SchemaNames.Name("", "u"));
        assertThat(schemaChange("DROP TRIGGER s.t").names().tables()).isEmpty();
        assertThat(schemaChange("DROP SCHEMA s").changesDatabase()).isTrue();
        assertThat(schemaChange("DROP TABLE s.t").changesDatabase()).isFalse();
    }

    private Classification.SchemaChange schemaChange(String sql) {
        return (Classification.SchemaChange) classifier.classify(sql);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE OR REPLACE DEFINER = `a b`@`c` TRIGGER t AFTER INSERT ON u FOR EACH ROW DO GET_LOCK('x', 1)",
                "CREATE DEFINER = view@localhost EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM t",
                "CREATE FUNCTION f() RETURNS INT BEGIN UPDATE t SET i = 1; COMMIT; RETURN 1; END",
                "CREATE AGGREGATE FUNCTION f RETURNS INT SONAME ?",
                "CREATE TEMPORARY SEQUENCE s",
                "CREATE TEMPORARY TABLE t (i INT) ENGINE = CONNECT",
                "ANALYZE FORMAT = JSON UPDATE t SET a = 1",
                "CHECK VIEW v",
                "FLUSH LOCAL TABLE t FOR EXPORT",
                "ALTER EVENT e DISABLE",
                "ALTER TABLE t DISCARD TABLESPACE;",
                "ALTER TABLE t IMPORT PARTITION ALL TABLESPACE",
                "ALTER TABLE t EXCHANGE PARTITION p WITH TABLE u WITHOUT VALIDATION",
                "GET DIAGNOSTICS @n = NUMBER",
                "GET CURRENT DIAGNOSTICS CONDITION 1 @m = MESSAGE_TEXT",
                "BACKUP STAGE START"
            })
    void whatHasNoMeaningOnATierIsUnsupported(String sql) {
        assertThat(classifier.classify(sql)).isInstanceOf(Classification.Unsupported.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE USER u",
                "RENAME USER a TO b",
                "GRANT ALL ON a.* TO ? @ ?",
                "SET PASSWORD FOR u = ?",
                "SET DEFAULT ROLE r"
            })
    void accountsAreTheBackends(String sql) {
        assertThat(classifier.classify(sql)).isEqualTo(new Classification.AccountChange());
    }

    @Test
    void whatLooksAfterTablesIsForTheBackend() {
        assertThat(classifier.classify("ANALYZE LOCAL TABLE t, u"))
                .isEqualTo(new Classification.TableService(true));
        assertThat(classifier.classify("CHECKSUM TABLE t"))
                .isEqualTo(new Classification.TableService(false));
        assertThat(classifier.classify("ANALYZE FORMAT = JSON SELECT REPLACE(a, b, c) FROM t"))
                .isEqualTo(new Classification.Information(true));
        assertThat(classifier.classify("FLUSH NO_WRITE_TO_BINLOG TABLES"))
                .isEqualTo(new Classification.Flush(false));
        assertThat(classifier.classify("FLUSH PRIVILEGES"))
                .isEqualTo(new Classification.Flush(true));
    }

    @Test
    void temporaryTablesAreNoPartOfTheSchema() {
        TableName t = new TableName("", "t");
        assertThat(classifier.classify("CREATE OR REPLACE TEMPORARY TABLE t (i INT)"))
                .isEqualTo(new Classification.Temporary(List.of(t), false, false));
        assertThat(
                        classifier.classify(
                                "CREATE TEMPORARY TABLE IF NOT EXISTS `t` ENGINE=InnoDB AS SELECT 1"))
                .isEqualTo(new Classification.Temporary(List.of(t), false, true));
        assertThat(classifier.classify("DROP TEMPORARY TABLE IF EXISTS t, a.b CASCADE"))
                .isEqualTo(
                        new Classification.Temporary(
                                List.of(t, new TableName("a", "b")), true, false));
        assertThat(classifier.classify("DROP TEMPORARY TABLE t u"))
                .isInstanceOf(Classification.Mistake.class);
        assertThat(classifier.classify("CREATE TEMPORARY TABLE ("))
                .isInstanceOf(Classification.Mistake.class);
    }

    @Test
    void theSwitchesOfADumpAreNoSchemaChanges() {
        assertThat(classifier.classify("ALTER TABLE `a`.`t` DISABLE KEYS"))
                .isEqualTo(new Classification.TableService(true));
        assertThat(classifier.classify("/*!40000 ALTER TABLE `t` ENABLE KEYS */;"))
                .isEqualTo(new Classification.TableService(true));
        assertThat(classifier.classify("ALTER TABLE t DISABLE KEYS, ADD COLUMN a INT"))
                .isInstanceOf(Classification.SchemaChange.class);
    }

    @Test
    void aStoredFunctionMayReadAnyTable() {
        assertThat(read("SELECT f(1)").backendReason()).isNotEmpty();
        assertThat(read("SELECT a, s.f(a) FROM t WHERE b IN (1)").tables()).isEmpty();
        assertThat(read("SELECT JSON_VALUE(a, ?) FROM t WHERE b IN (1)").tables()).isNotEmpty();
        assertThat(classifier.classify("SELECT VERSION(), SLEEP(0), ST_X(POINT(1, 2))"))
                .isEqualTo(new Classification.Information(false));
    }

    @Test
    void aRoutineIsOfItsDatabase() {
        assertThat(
                        schemaChange("CREATE DEFINER = a@b FUNCTION shop.f() RETURNS INT RETURN 1")
                                .database())
                .isEqualTo("shop");
        assertThat(schemaChange("DROP PROCEDURE IF EXISTS `shop`.p").database()).isEqualTo("shop");
    }

    @Test
    void aKillNamesItsVictim() {
        assertThat(classifier.classify("KILL 7"))
                .isEqualTo(new Classification.Killing(new Kill.Victim.Id(7), false));
        assertThat(classifier.classify("kill soft query '7'"))
                .isEqualTo(new Classification.Killing(new Kill.Victim.Id(7), true));
        assertThat(classifier.classify("KILL HARD CONNECTION CONNECTION_ID()"))
                .isEqualTo(new Classification.Killing(new Kill.Victim.Oneself(), false));
        assertThat(classifier.classify("KILL ?"))
                .isEqualTo(new Classification.Killing(new Kill.Victim.Parameter(), false));
        assertThat(classifier.classify("KILL USER u"))
                .isEqualTo(new Classification.Unsupported("KILL USER"));
        assertThat(classifier.classify("KILL QUERY ID 7"))
                .isEqualTo(new Classification.Unsupported("KILL QUERY ID"));
        for (String sql : List.of("KILL", "KILL QUERY", "KILL 7 8", "KILL 1.5", "KILL x")) {
            assertThat(classifier.classify(sql)).isEqualTo(new Classification.Mistake(sql));
        }
    }
}
