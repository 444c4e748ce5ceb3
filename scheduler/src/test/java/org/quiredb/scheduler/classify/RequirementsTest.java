package org.quiredb.scheduler.classify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.scheduler.account.Need;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.text.Tokens;

final class RequirementsTest {
    private final Classifier classifier = new Classifier(10, true);

    private List<Need> needed(String sql) {
        return classifier.classify(NormalizedSql.of(sql).text()).needs();
    }

    private String needs(String sql) {
        return needed(sql).stream()
                .map(RequirementsTest::text)
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static String text(Need need) {
        String table =
                need.database()
                        + (need.table().isEmpty() || need.database().isEmpty() ? "" : ".")
                        + need.table();
        return need.privilege().words().toLowerCase(Locale.ROOT)
                + " "
                + table
                + (need.column().isEmpty() ? "" : "(" + need.column() + ")");
    }

    private boolean needsEverything(String sql) {
        List<Need> needs = needed(sql);
        return needs.stream().anyMatch(need -> need.database().equals(Need.ANYWHERE));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT a FROM t|select t",
                "SELECT a FROM d.t, `e`.`u v` WHERE a IN (SELECT b FROM f.w)|select d.t, select e.u v, select f.w",
                "SELECT (SELECT MAX(a) FROM u) FROM t ORDER BY (SELECT b FROM w)|select t, select u, select w",
                "SELECT a FROM t GROUP BY a HAVING a > (SELECT b FROM u)|select t, select u",
                "SELECT a FROM t LEFT JOIN u ON t.a = (SELECT c FROM w)|select t, select u, select w",
                "SELECT 1 FROM (SELECT a FROM t) x|select t",
                "SELECT a FROM t UNION SELECT b FROM u|select t, select u",
                "WITH t AS (SELECT a FROM t) SELECT a FROM t JOIN u|select t, select u",
                "WITH w AS (SELECT a FROM d.t) SELECT a FROM w|select d.t",
                "INSERT INTO t VALUES (1)|insert t",
                "INSERT INTO t SET a = 1|insert t",
                "INSERT INTO t SELECT a FROM u|insert t, select u",
                "INSERT INTO t SELECT a FROM t|insert t, select t",
                "INSERT INTO t VALUES ((SELECT a FROM u))|insert t, select t(a), select u",
                "INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = 2|insert t, select t(a), update t",
                "INSERT INTO t VALUES (1) RETURNING a|insert t, select t(a)",
                "INSERT INTO t VALUES (1) RETURNING *|insert t, select t",
                "REPLACE INTO t VALUES (1)|delete t, insert t",
                "UPDATE t SET a = 1|update t",
                "UPDATE t SET a = 1 WHERE b = 2|select t(b), update t",
                "UPDATE t SET a = (SELECT MAX(b) FROM u)|select t(b), select u, update t",
                "UPDATE t SET a = 1 ORDER BY c|select t(c), update t",
                "UPDATE t SET a = 1 /*! WHERE b IN (SELECT c FROM u) */|select t(b), select u, update t",
                "INSERT INTO t SELECT a FROM u /*!50000 UNION SELECT b FROM w */|insert t, select u, select w",
                "UPDATE t JOIN u ON t.i = u.i SET t.a = 1|select t, select u, update t",
                "UPDATE t JOIN d.u x ON t.i = x.i SET x.a = 1|select d.u, select t, update d.u",
                "UPDATE d.t x JOIN u ON x.i = u.i SET x.a = (SELECT MAX(b) FROM w x)|select d.t, select u, select w, update d.t",
                "UPDATE d.t JOIN e.t ON d.t.i = e.t.i SET d.t.a = 1|select d.t, select e.t, update d.t, update e.t",
                "UPDATE t JOIN u USING (i) SET a = 1|select t, select u, update t, update u",
                "UPDATE (SELECT a FROM t) x SET a = 1|select t",
                "DELETE x FROM (SELECT a FROM t) x|select t",
                "DELETE x FROM d.t x JOIN u ON x.i = u.i|delete d.t, select d.t, select u",
                "DELETE FROM x USING d.t AS x JOIN u USING (i)|delete d.t, select d.t, select u",
                "DELETE t.*, d.u FROM t JOIN d.u USING (i)|delete d.u, delete t, select d.u, select t",
                "DELETE FROM t|delete t",
                "DELETE FROM t WHERE a = 1|delete t, select t(a)",
                "DELETE FROM t RETURNING a|delete t, select t(a)",
                "DELETE FROM t RETURNING *|delete t, select t",
                "DELETE FROM t WHERE a IN (SELECT b FROM u)|delete t, select t(a), select u"
            })
    void aStatementNeedsWhatItNames(String sql, String expected) {
        assertThat(needs(sql)).isEqualTo(expected);
    }

    /// What has no tree is not allowed by halves.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO t TABLE u",
                "INSERT INTO t VALUES (1) RETURNING (SELECT MAX(a) FROM u)",
                "UPDATE t SET a = 1 WHERE ROW_NUMBER() OVER () > (SELECT b FROM u)",
                "WITH RECURSIVE t AS (SELECT a FROM t) SELECT a FROM t JOIN u",
                "SELECT a FROM t FOR SYSTEM_TIME ALL FOR UPDATE",
                "DELETE FROM t WHERE a = = 1"
            })
    void whatIsNotUnderstoodNeedsEverything(String sql) {
        assertThat(needsEverything(sql)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE DATABASE IF NOT EXISTS d|create d",
                "DROP SCHEMA `d e`|drop d e",
                "ALTER DATABASE d CHARACTER SET utf8mb4|alter d",
                "CREATE TABLE d.t (id INT PRIMARY KEY)|create d.t",
                "CREATE TABLE t (engine INT, connection TEXT, CHECK (a LIKE 'x'))|create t",
                "CREATE TABLE t (a INT) ENGINE=InnoDB COMMENT 'SELECT'|create t",
                "CREATE OR REPLACE TABLE t (a INT)|create t, drop t",
                "CREATE TABLE t LIKE d.u|create t, select d.u",
                "CREATE TABLE t (LIKE u)|create t, select u",
                "CREATE TABLE t (a INT REFERENCES d.u (i))|create t, references d.u",
                "CREATE TABLE t AS SELECT a FROM d.u|create t, insert t, select d.u",
                "CREATE UNIQUE INDEX i ON d.t (a)|index d.t",
                "DROP INDEX IF EXISTS i ON t|index t",
                "ALTER TABLE t ADD COLUMN directory INT, DROP COLUMN engine|alter t",
                "ALTER TABLE t RENAME COLUMN a TO b|alter t",
                "ALTER TABLE t RENAME TO d.u|alter t, create d.u, drop t, insert d.u",
                "ALTER TABLE t RENAME u|alter t, create u, drop t, insert u",
                "ALTER TABLE t DROP PARTITION p|alter t, drop t",
                "RENAME TABLE a TO b, c TO d.e|alter a, alter c, create b, create d.e, drop a, drop c, insert b, insert d.e",
                "DROP TABLE IF EXISTS a, d.b CASCADE|drop a, drop d.b",
                "DROP VIEW v|drop v",
                "TRUNCATE TABLE d.t|drop d.t",
                "TRUNCATE t|drop t",
                "TRUNCATE user|drop user",
                "CREATE TABLE user (event INT, `trigger` INT)|create user",
                "CREATE TABLE t (a VARCHAR(9) DEFAULT '\\\\') SELECT b AS a FROM d.u|create t, insert t, select d.u",
                "CREATE TABLE t (a INT COMMENT '\\\\', b INT REFERENCES d.u (i), c INT COMMENT '\\\\')|create t, references d.u",
                "ALTER TABLE t COMMENT '\\\\', RENAME d.u, COMMENT '\\\\'|alter t, create d.u, drop t, insert d.u",
                "CREATE TABLE t (a INT) ENGINE='InnoDB'|create t",
                "CREATE TABLE `t``u`.`v` (a INT REFERENCES `w`.`x` (i))|create t`u.v, references w.x"
            })
    void ddlNeedsWhatItNames(String sql, String expected) {
        assertThat(needs(sql)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE VIEW v AS SELECT a FROM t",
                "CREATE SEQUENCE s",
                "CREATE TABLE t (a INT) ENGINE = CONNECT",
                "CREATE TABLE t (a INT) ENGINE CONNECT FILE_NAME = '/x'",
                "CREATE TABLE t (a INT) COMMENT = 'x', ENGINE FEDERATED",
                "CREATE TABLE t (a INT) PARTITION BY RANGE (a) (PARTITION p VALUES LESS THAN (1) ENGINE CONNECT)",
                "CREATE TABLE t (a INT) UNION = (u)",
                "CREATE TABLE t (a INT) /*! SELECT b FROM u, */",
                "CREATE TABLE t AS SELECT SLEEP(b) FROM u PROCEDURE ANALYSE()",
                "CREATE TABLE t AS WITH x AS (SELECT b FROM u) SELECT b FROM x",
                "CREATE TABLE t TABLE u",
                "CREATE TABLE t WITH x AS (SELECT 1) SELECT a FROM u",
                "ALTER TABLE t EXCHANGE PARTITION p WITH TABLE u",
                "ALTER TABLE t ENGINE = CONNECT",
                "ALTER TABLE t ADD a INT, ENGINE CONNECT",
                "ALTER VIEW v AS SELECT a FROM t",
                "DROP TABLE a; DROP TABLE b",
                "CREATE TABLE t (a INT COMMENT '\\\\') ENGINE = CONNECT COMMENT = '\\\\'",
                "CREATE TABLE t (a INT) ENGINE = `CONNECT`",
                "CREATE TABLE t (a INT) ENGINE 'CONNECT'",
                "DROP TABLE a b",
                "TRUNCATE t, u"
            })
    void ddlOfAnotherFormNeedsEverything(String sql) {
        assertThat(needsEverything(sql)).isTrue();
    }

    @Test
    void theLogsDatabaseIsFoundWhereverItIsNamed() {
        for (String sql :
                List.of(
                        "SELECT * FROM quire.applied",
                        "SELECT * FROM `Quire` /* x */ . applied",
                        "SELECT /*! quire. */applied.x FROM t",
                        "SELECT /*!999999 ' */ * FROM quire.applied -- '",
                        "SELECT * FROM /*!50000quire*/.applied",
                        "SELECT * FROM /*M!100000quire*/.applied",
                        "SELECT '\\\\', x FROM quire.applied WHERE a = '\\\\'",
                        "SHOW TABLES FROM quire",
                        "SHOW TABLES IN `quire`",
                        "SHOW CREATE DATABASE IF NOT EXISTS quire",
                        "EXPLAIN SELECT * FROM quire.applied")) {
            assertThat(LogDatabase.namedBy(Tokens.of(sql))).as(sql).isPresent();
        }
        for (String sql :
                List.of(
                        "SELECT 'quire.applied'",
                        "SELECT '\\' FROM quire.applied'",
                        "SELECT /*!50000 required */ FROM t",
                        "SELECT quire FROM t",
                        "SHOW GRANTS FOR quire@localhost",
                        "/*!50003 CREATE*/ /*!50017 DEFINER=`quire`@`%`*/ /*!50003 VIEW v AS SELECT 1 */",
                        "SELECT 1 FROM t -- quire.applied",
                        "SELECT * FROM requires.quires")) {
            assertThat(LogDatabase.namedBy(Tokens.of(sql))).as(sql).isEmpty();
        }
    }
}
