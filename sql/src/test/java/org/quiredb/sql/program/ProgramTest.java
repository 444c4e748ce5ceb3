package org.quiredb.sql.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.sql.command.RoutineStatement;
import org.quiredb.sql.program.Step.Declared;
import org.quiredb.sql.program.Step.Handled;
import org.quiredb.sql.text.Tokens;

final class ProgramTest {
    @Test
    void aBlockHasWhatItDeclaresAndItsStatements() {
        Step.Block block =
                (Step.Block)
                        body(
                                "one: BEGIN DECLARE a, b DECIMAL(10, 2) DEFAULT 1 + 1; DECLARE dup CONDITION FOR SQLSTATE VALUE '23000'; DECLARE c CURSOR FOR SELECT id FROM t WHERE id > a; DECLARE CONTINUE HANDLER FOR NOT FOUND, 1062, dup SET b = 1; DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN ROLLBACK; END; START TRANSACTION; COMMIT; END one");
        assertThat(block.label()).isEqualTo("one");
        Declared.Variable variable = (Declared.Variable) block.declared().get(0);
        assertThat(variable.names()).containsExactly("a", "b");
        assertThat(variable.type()).isEqualTo("DECIMAL(10, 2)");
        assertThat(Objects.requireNonNull(variable.value()).tokens().text()).isEqualTo("1 + 1");
        assertThat(block.declared().get(1))
                .isEqualTo(new Declared.Condition("dup", new Handled.State("23000")));
        assertThat(((Declared.Cursor) block.declared().get(2)).query().operands()).hasSize(1);
        assertThat(block.handlers().getFirst().exits()).isFalse();
        assertThat(block.handlers().getFirst().handled())
                .containsExactly(
                        new Handled.NotFound(), new Handled.Code(1062), new Handled.Named("dup"));
        assertThat(block.handlers().getLast().exits()).isTrue();
        assertThat(block.handlers().getLast().step()).isInstanceOf(Step.Block.class);
        assertThat(block.steps()).hasSize(2);
    }

    @Test
    void whatLeadsFromOneStatementToAnotherIsKnown() {
        Step.Block block =
                (Step.Block)
                        body(
                                "BEGIN IF CASE a WHEN 1 THEN 2 END = 2 THEN COMMIT; ELSEIF a THEN ROLLBACK; ELSE SELECT 1; END IF; CASE a WHEN 1 THEN SELECT 1; ELSE BEGIN END; END CASE; CASE WHEN a THEN SELECT 1; END CASE; l: LOOP LEAVE l; END LOOP l; WHILE a < 3 DO SET a = a + 1; END WHILE; REPEAT ITERATE x; UNTIL a > 3 END REPEAT; END");
        Step.Choice choice = (Step.Choice) block.steps().get(0);
        assertThat(choice.branches()).hasSize(2);
        assertThat(choice.otherwise()).hasSize(1);
        assertThat(choice.complete()).isFalse();
        Step.Case of = (Step.Case) block.steps().get(1);
        assertThat(of.operand().tokens().text()).isEqualTo("a");
        assertThat(((Step.Choice) block.steps().get(2)).complete()).isTrue();
        assertThat(((Step.Loop) block.steps().get(3)).steps()).containsExactly(new Step.Leave("l"));
        assertThat(Objects.requireNonNull(((Step.Loop) block.steps().get(4)).before()).operands())
                .hasSize(1);
        Step.Loop repeats = (Step.Loop) block.steps().get(5);
        assertThat(Objects.requireNonNull(repeats.after()).tokens().text()).isEqualTo("a > 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1..i", "1 .. i", "1.. i", "1 ..i"})
    void aLoopCountsBetweenItsBounds(String bounds) {
        Step.Block block =
                (Step.Block)
                        body(
                                "BEGIN DECLARE i INT; l: FOR i IN REVERSE "
                                        + bounds
                                        + " DO SELECT i; END FOR l; FOR j IN a..3 DO SELECT j; END FOR; SELECT j; END");
        Step.Count count = (Step.Count) block.steps().get(0);
        assertThat(count.label()).isEqualTo("l");
        assertThat(count.variable()).isEqualTo("i");
        assertThat(count.reverse()).isTrue();
        assertThat(count.low().tokens().text()).isEqualTo("1");
        assertThat(count.high().operands()).hasSize(1);
        Step.Count other = (Step.Count) block.steps().get(1);
        assertThat(other.low().operands()).hasSize(1);
        assertThat(other.high().tokens().text()).isEqualTo("3");
        assertThat(((Step.Plain) other.steps().getFirst()).text().operands()).hasSize(1);
        assertThat(((Step.Plain) block.steps().get(2)).text().operands()).isEmpty();
    }

    @Test
    void aCursorHasParameters() {
        Step.Block block =
                (Step.Block)
                        body(
                                "BEGIN DECLARE c CURSOR (p DECIMAL(4, 2), Q INT) FOR SELECT p, q, a; OPEN c(a, 1 + 1); OPEN c; SELECT p; END");
        Declared.Cursor cursor = (Declared.Cursor) block.declared().getFirst();
        assertThat(cursor.parameters())
                .containsExactly(
                        new Declared.Variable(List.of("p"), "DECIMAL(4, 2)", null),
                        new Declared.Variable(List.of("q"), "INT", null));
        assertThat(cursor.query().operands()).hasSize(3);
        assertThat(((Step.Open) block.steps().get(0)).arguments()).hasSize(2);
        assertThat(((Step.Open) block.steps().get(1)).arguments()).isEmpty();
        assertThat(((Step.Plain) block.steps().get(2)).text().operands()).isEmpty();
    }

    @Test
    void whatIsGivenToVariablesIsKnown() {
        Step.Block block =
                (Step.Block)
                        body(
                                "BEGIN DECLARE b INT; SET b = 1; SET b = 1, @x = b, sql_mode = ''; SELECT id, v INTO a, @y FROM t; SELECT id INTO @y FROM t; FETCH NEXT FROM c INTO a, b; GET DIAGNOSTICS CONDITION 1 a = MYSQL_ERRNO, @m = MESSAGE_TEXT; CALL s.q(a + 1, @z); END");
        assertThat(block.steps().get(0)).isInstanceOf(Step.Assign.class);
        assertThat(
                        ((Step.Block) block.steps().get(1))
                                .steps().stream().map(s -> s.getClass().getSimpleName()))
                .containsExactly("Assign", "Plain", "Plain");
        Step.SelectInto into = (Step.SelectInto) block.steps().get(2);
        assertThat(into.query().tokens().text().replaceAll(" +", " "))
                .isEqualTo("SELECT id, v FROM t");
        assertThat(into.targets())
                .containsExactly(new Step.Target(false, "a"), new Step.Target(true, "y"));
        assertThat(block.steps().get(3)).isInstanceOf(Step.Plain.class);
        assertThat(block.steps().get(4)).isEqualTo(new Step.Fetch("c", List.of("a", "b")));
        assertThat(((Step.Diagnose) block.steps().get(5)).items())
                .containsExactly(
                        new Step.Item(new Step.Target(false, "a"), "MYSQL_ERRNO"),
                        new Step.Item(new Step.Target(true, "m"), "MESSAGE_TEXT"));
        assertThat(((Step.Call) block.steps().get(6)).arguments()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BEGIN FOR r IN (SELECT 1) DO COMMIT; END FOR; END",
                "BEGIN FOR r IN c DO COMMIT; END FOR; END",
                "BEGIN FOR i IN 1 .. 3 DO COMMIT; END LOOP; END",
                "BEGIN DECLARE r ROW (a INT); COMMIT; END",
                "BEGIN DECLARE r TYPE OF t.id; COMMIT; END",
                "BEGIN DECLARE c CURSOR (p) FOR SELECT 1; COMMIT; END",
                "BEGIN DECLARE c CURSOR (p TYPE OF t.id) FOR SELECT 1; COMMIT; END",
                "BEGIN FETCH c INTO nothing; END",
                "BEGIN SELECT 1 INTO nothing; END",
                "BEGIN IF a THEN COMMIT; END",
                "BEGIN SET a = 1, SESSION sql_mode = ''; END",
                "BEGIN CREATE TABLE x AS SELECT a; END",
                "BEGIN COMMIT; END; COMMIT"
            })
    void whatIsNotUnderstoodIsRefused(String body) {
        assertThatThrownBy(() -> body(body))
                .isInstanceOf(QuireException.class)
                .extracting(e -> ((QuireException) e).code())
                .isEqualTo(ErrorCode.NOT_SUPPORTED_YET);
    }

    @Test
    void blocksAreNestedSoDeep() {
        String deep = "BEGIN ".repeat(2000) + "COMMIT; " + "END; ".repeat(1999) + "END";
        assertThatThrownBy(() -> body(deep)).isInstanceOf(QuireException.class);
    }

    /// Of the variables a, b and t.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT <a>, t.a, a.b, x AS a, x a, @a, a(1), f(<a>) FROM t WHERE x = <a> AND b.x < <b>",
                "SELECT x FROM a, b JOIN t ON <a> = b.x LEFT JOIN t USING (a) WHERE <t> IN (<a>, <b>)",
                "SELECT COUNT(DISTINCT <a>) FROM (SELECT <b> FROM t WHERE <a>) a GROUP BY x HAVING <a> > 1 LIMIT <a>, <b>",
                "INSERT INTO t (a, b) VALUES (<a>, <b> + 1), (x, <t>) ON DUPLICATE KEY UPDATE a = VALUES(a) + <b>, b = <a>",
                "INSERT INTO t SELECT <a>, x FROM b WHERE <b> = 1",
                "INSERT INTO t SET a = <a>, b = <b>",
                "REPLACE INTO t VALUES (<a>)",
                "UPDATE t SET a = <a>, t.b = <b> + 1 WHERE <a> = 1 ORDER BY x LIMIT <b>",
                "DELETE FROM t WHERE x = <a>",
                "DELETE a FROM a JOIN b ON a.x = b.x WHERE <b>",
                "SELECT CASE <a> WHEN <b> THEN <t> ELSE <a> END, CAST(<a> AS DATE), <a> + INTERVAL <b> DAY FROM x",
                "SELECT EXTRACT(YEAR FROM <a>), TRIM(x FROM <a>), SUBSTRING(<a> FROM <b> FOR <t>) FROM x",
                "WITH a AS (SELECT <b> FROM t) SELECT * FROM a WHERE <a>",
                "SET @a = <a> + 1",
                "EXECUTE a USING <a>, <b>",
                "PREPARE a FROM <b>",
                "DO SLEEP(<a>)",
                "SAVEPOINT a",
                "DROP TABLE a",
                "CREATE TABLE t (a INT, b INT)",
                "ALTER TABLE t ADD COLUMN a INT",
                "SHOW TABLES LIKE <a>",
                "INSERT INTO t (a) VALUES (<b>) ON DUPLICATE KEY UPDATE a = IF(VALUES(a) > <a>, VALUES(a), <t>)",
                "SELECT -<a>, NOT <b>, <a>*<b>, (<a>) FROM x WHERE x BETWEEN <a> AND <b>"
            })
    void variablesAreFoundWhereTheyStand(String marked) {
        String sql = marked.replaceAll("<(\\w+)>", "$1");
        Text text =
                VariablePlaces.ofStatement(
                        Tokens.of(sql), name -> List.of("a", "b", "t").contains(name));
        Text bare = new Text(text.tokens(), text.operands(), List.of());
        assertThat(bare.with(name -> "<" + name + ">")).isEqualTo(marked);
    }

    @Test
    void columnsAreNamedAfterTheirText() {
        Text text =
                VariablePlaces.ofStatement(
                        Tokens.of(
                                "SELECT a, a AS c, a + 1, f(a) d, x, a + INTERVAL 1 DAY, a AS `` FROM t"),
                        "a"::equals);
        assertThat(text.headings().stream().map(Text.Heading::text).collect(Collectors.toList()))
                .containsExactly("a", "a + 1", "a + INTERVAL 1 DAY");
        assertThat(text.with(name -> "5"))
                .isEqualTo(
                        "SELECT 5 AS `a`, 5 AS c, 5 + 1 AS `a + 1`, f(5) d, x, 5 + INTERVAL 1 DAY AS `a + INTERVAL 1 DAY`, 5 AS `` FROM t");
    }

    @Test
    void columnsOfQueriesInOthersAreNamed() {
        Text text =
                VariablePlaces.ofStatement(
                        Tokens.of("SELECT d.a FROM (SELECT a, x FROM t WHERE y = a) d"),
                        "a"::equals);
        assertThat(text.with(name -> "5"))
                .isEqualTo("SELECT d.a FROM (SELECT 5 AS `a`, x FROM t WHERE y = 5) d");
    }

    @Test
    void whatHasTheNameOfAKeywordStandsInQuotes() {
        Text text =
                VariablePlaces.ofStatement(
                        Tokens.of("UPDATE t SET x = 1 + `set` WHERE x = `set`"), "set"::equals);
        assertThat(text.with(name -> "5")).isEqualTo("UPDATE t SET x = 1 + 5 WHERE x = 5");
        Text dates =
                VariablePlaces.ofStatement(
                        Tokens.of("SELECT CONVERT(x, date), DATE '2020-01-01', 1 + date FROM t"),
                        "date"::equals);
        assertThat(dates.operands()).hasSize(1);
    }

    @Test
    void noLimitIsLessThanNone() {
        Text text =
                VariablePlaces.ofStatement(Tokens.of("SELECT x FROM t LIMIT a, b"), "ab"::contains);
        assertThat(text.with(name -> name.equals("a") ? "NULL" : "(-1)"))
                .isEqualTo("SELECT x FROM t LIMIT 0, 18446744073709551615");
    }

    private static Step body(String body) {
        Tokens create = Tokens.of("CREATE PROCEDURE p(IN a INT) SQL SECURITY INVOKER " + body);
        Program program =
                Program.of(
                        Objects.requireNonNull(RoutineStatement.of(create).orElseThrow().body()));
        assertThat(program.invoker()).isTrue();
        return program.body();
    }
}
