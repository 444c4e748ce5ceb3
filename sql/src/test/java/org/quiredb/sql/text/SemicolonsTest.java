package org.quiredb.sql.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SemicolonsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE PROCEDURE p() SELECT 1",
                "CREATE PROCEDURE p(a INT, OUT b INT) BEGIN END",
                "CREATE DEFINER=CURRENT_USER() FUNCTION f() RETURNS INT BEGIN SET a = 1; RETURN 1; END",
                "CREATE OR REPLACE DEFINER = 'a;b'@'%' PROCEDURE p() BEGIN DO 1; SELECT 1 AS c UNION SELECT 3; END",
                "CREATE PROCEDURE p() x: BEGIN IF a THEN LEAVE x; END IF; END x",
                "CREATE PROCEDURE IF NOT EXISTS p() IF a THEN SELECT 1; ELSEIF b THEN DO 2; ELSE DO 3; END IF",
                "CREATE PROCEDURE p() DETERMINISTIC IF (a) AND (b) THEN DROP TABLE IF EXISTS t; END IF",
                "CREATE PROCEDURE p() BEGIN IF EXISTS (SELECT 1) THEN DO 1; END IF; DO IF(a, 1, 2); END",
                "CREATE PROCEDURE p() BEGIN IF a = CASE WHEN b THEN 1 ELSE 2 END THEN DO 1; END IF; END",
                "CREATE PROCEDURE p() BEGIN SELECT CASE WHEN IF(a, b, c) THEN IF(a, 1, 2) ELSE IF(b, 3, 4) END; DO 1; END",
                "CREATE FUNCTION f(a INT) RETURNS INT RETURN CASE a WHEN 1 THEN IF(a, 1, 2) + 1 WHEN 2 THEN 3 END",
                "CREATE PROCEDURE p() CASE a WHEN 1 THEN DO 1; ELSE BEGIN END; END CASE",
                "CREATE PROCEDURE p() BEGIN CASE WHEN a THEN DO CASE b WHEN 1 THEN 2 END; DO 2; END CASE; END",
                "CREATE PROCEDURE p() BEGIN x: LOOP DO 1; LEAVE x; END LOOP x; WHILE a DO SET a = 0; END WHILE; END",
                "CREATE PROCEDURE p() BEGIN REPEAT SET a = REPEAT('b;', 3); UNTIL a > 1 END REPEAT; DO 1; END",
                "CREATE PROCEDURE p() BEGIN FOR i IN 1..3 DO INSERT INTO t VALUES (i); END FOR; END",
                "CREATE PROCEDURE p() BEGIN FOR r IN (SELECT a FROM t FOR UPDATE) DO DO r.a; END FOR; END",
                "CREATE PROCEDURE p() BEGIN DECLARE c CURSOR FOR SELECT a FROM t; DECLARE EXIT HANDLER FOR NOT FOUND, SQLSTATE '23000' BEGIN DO 1; END; OPEN c; END",
                "CREATE PROCEDURE p() BEGIN DECLARE CONTINUE HANDLER FOR 1062 SET a = 1; DO 1; END",
                "CREATE PROCEDURE p() BEGIN BEGIN END; BEGIN DO 1; END; END",
                "CREATE PROCEDURE p() BEGIN SELECT end, t.begin, begin FROM t WHERE t.if = 1; DO 1; END",
                "CREATE TRIGGER a AFTER INSERT ON t FOR EACH ROW IF NEW.i > 1 THEN SET @x = 1; END IF",
                "CREATE TRIGGER a BEFORE UPDATE ON t FOR EACH ROW FOLLOWS b BEGIN SET NEW.i = 1; END",
                "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO BEGIN DELETE FROM t; END",
                "ALTER EVENT e DO BEGIN DELETE FROM t; DO 1; END",
                "/*!50003 CREATE*/ /*!50017 DEFINER=`a`@`b`*/ /*!50003 TRIGGER a AFTER INSERT ON t FOR EACH ROW BEGIN DO 1; DO 2; END */",
                "BEGIN NOT ATOMIC DECLARE a INT; SET a = 1; END",
                "x: BEGIN NOT ATOMIC DO 1; END x",
                "BEGIN NOT ATOMIC IF a THEN DO 1; END IF; END",
                "BEGIN NOT ATOMIC BEGIN DO 1; END; END",
                "BEGIN NOT ATOMIC END",
                "IF a THEN DO 1; ELSE DO 2; END IF",
                "FOR i IN 1..3 DO DO i; END FOR",
                "WHILE a DO DO 1; END WHILE",
                "BEGIN",
                "COMMIT",
                "SELECT ';' AS `;` /* ; */",
                "CREATE TABLE t (i INT)",
                "SELECT CASE WHEN a THEN IF(b, 1, 2) END FROM t FOR UPDATE",
                "DROP PROCEDURE IF EXISTS p"
            })
    void aProgramIsOneStatementOfSeveral(String statement) {
        for (String other : List.of("SELECT 1", statement)) {
            assertThat(Tokens.statements(statement + "; " + other + " ;", true))
                    .containsExactly(statement, other);
            assertThat(Tokens.statements(other + ";\n" + statement, true))
                    .containsExactly(other, statement);
        }
    }

    /// The server tells the mistake.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE PROCEDURE p() BEGIN DO 1; SELECT 2",
                "CREATE PROCEDURE p() BEGIN IF a THEN DO 1; END; SELECT 2; END",
                "CREATE PROCEDURE p() BEGIN DO 1; SELECT 'a;"
            })
    void whatDoesNotEndIsAllOfOneStatement(String program) {
        assertThat(Tokens.statements(program, true)).containsExactly(program);
    }

    /// It would take minutes.
    @ParameterizedTest
    @ValueSource(strings = {"x BEGIN : IF", ": IF CASE", "CASE : IF", "DECLARE HANDLER x BEGIN"})
    @Timeout(20)
    void aLongTextIsReadOnce(String part) {
        String text =
                "CREATE PROCEDURE p() " + String.join(" ", Collections.nCopies(100_000, part));
        assertThat(Tokens.statements(text + "; DO 1", true)).hasSize(1);
    }
}
