package org.quiredb.sql.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.schema.TriggerDefinition;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

final class TriggerStatementTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TRIGGER a.b BEFORE INSERT ON t FOR EACH ROW SET NEW.x = 1",
                "CREATE OR REPLACE TRIGGER a.b AFTER UPDATE ON t FOR EACH ROW FOLLOWS c SET NEW.x = 1;",
                "CREATE DEFINER = `q`@`127.0.0.1` TRIGGER IF NOT EXISTS a.b AFTER DELETE ON t FOR EACH ROW PRECEDES `c` SET NEW.x = 1",
                "/*!50003 CREATE*/ /*!50017 DEFINER=`q`@`%`*/ /*!50003 TRIGGER a.b BEFORE INSERT ON t FOR EACH ROW SET NEW.x = 1 */",
            })
    void whatItSaysIsRead(String sql) {
        TriggerStatement read = of(sql);
        assertThat(read.name()).isEqualTo(new TableName("a", "b"));
        assertThat(read.table()).isEqualTo(new TableName("", "t"));
        assertThat(read.body().beyond()).isEmpty();
        String guarded = read.guarded();
        assertThat(guarded).contains("IF @quire_applies IS NULL THEN SET NEW.x = 1\n; END IF");
        assertThat(of(guarded).guarded()).isEqualTo(guarded);
    }

    @Test
    void whatIsShownIsWhatWasMade() {
        String body = "BEGIN IF NEW.a THEN SET NEW.b = 1; END IF; END";
        TriggerStatement made = of("CREATE TRIGGER b BEFORE INSERT ON t FOR EACH ROW " + body);
        TriggerStatement stored = of(made.guarded());
        String statement = stored.tokens().text(stored.from(), stored.to());
        assertThat(TriggerDefinition.unguarded(statement)).contains(body);
        assertThat(TriggerDefinition.unguarded(body)).isEmpty();
    }

    @Test
    void whatNamesTheVariableOtherwiseIsNotGuarded() {
        assertThat(
                        of("CREATE TRIGGER b BEFORE INSERT ON t FOR EACH ROW IF @quire_applies IS NULL THEN SET @quire_applies = 1\n; END IF")
                                .isGuarded())
                .isFalse();
    }

    /// Which no server takes, and what comes after the first one may stand outside of the
    /// condition.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET NEW.a = 1; ELSE SET NEW.b = 2",
                "SET NEW.a = 1; SET NEW.b = 2",
                "IF NEW.a = 1 THEN SET NEW.b = 2; END IF; ELSE SET NEW.b = 3",
                "BEGIN SET NEW.a = 1; END; ELSE BEGIN SET NEW.b = 2; END",
                "l: LOOP LEAVE l; END LOOP l; ELSEIF 1 THEN SET NEW.b = 2",
                "CASE NEW.a WHEN 1 THEN SET NEW.b = 2; ELSE BEGIN END; END CASE; ELSE SET NEW.b = 3",
                "SET NEW.a = 1; END IF; IF 1 THEN SET NEW.b = 2",
            })
    void aBodyIsOneStatement(String body) {
        String made = "CREATE TRIGGER b BEFORE UPDATE ON t FOR EACH ROW ";
        String several = "more than one statement outside of BEGIN ... END";
        assertThat(of(made + body).body().beyond()).isEqualTo(several);
        String guarded = TriggerDefinition.BEFORE + body + TriggerDefinition.AFTER;
        assertThat(of(made + guarded).body().beyond()).isEqualTo(several);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET NEW.a = IF(NEW.b, 1, 2), @x = CASE WHEN NEW.a THEN 1 ELSE 2 END;",
                "IF NEW.a THEN IF (NEW.b) THEN SET NEW.a = IF(1, 2, 3); END IF; ELSE SET NEW.b = REPEAT('a', 2); END IF",
                "l: BEGIN DECLARE CONTINUE HANDLER FOR NOT FOUND IF 1 THEN SET NEW.b = 2; END IF; WHILE 0 DO SET NEW.a = 1; END WHILE; END l",
                "r: REPEAT SET NEW.a = 1; IF NEW.a THEN SET NEW.b = 1; END IF; UNTIL 1 END REPEAT r",
                "LOOP WHILE 0 DO LOOP SET NEW.a = 1; END LOOP; END WHILE; END LOOP",
                "FOR i IN 1..3 DO FOR r IN (SELECT id FROM u FOR UPDATE) DO SET NEW.a = r.id; END FOR; END FOR",
                "CASE WHEN NEW.a THEN IF 1 THEN SET NEW.b = 2; END IF; ELSE BEGIN END; END CASE",
                "IF 1 THEN INSERT INTO u (start, end) VALUES (1, 2); SET NEW.a = 1; END IF",
            })
    void oneStatementMayHaveOthersInIt(String body) {
        String made = "CREATE TRIGGER b BEFORE UPDATE ON t FOR EACH ROW ";
        TriggerStatement read = of(made + body);
        assertThat(read.body().beyond()).isEmpty();
        assertThat(of(read.guarded()).body().beyond()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE trigger_of (a INT)",
                "CREATE TRIGGER b BEFORE INSERT ON t FOR EACH STATEMENT SET @x = 1",
                "CREATE TRIGGER b BEFORE TRUNCATE ON t FOR EACH ROW SET @x = 1",
                "CREATE TRIGGER b BEFORE INSERT ON t FOR EACH ROW",
                "DROP TABLE t",
            })
    void anythingElseIsNone(String sql) {
        assertThat(TriggerStatement.of(Tokens.of(sql).plain())).isEmpty();
    }

    private static TriggerStatement of(String sql) {
        return TriggerStatement.of(Tokens.of(sql).plain()).orElseThrow();
    }
}
