package org.quiredb.sql.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.tree.BinaryOperator;
import org.quiredb.sql.tree.Change;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.Query;
import org.quiredb.sql.tree.Reading;
import org.quiredb.sql.tree.TableName;

@Tag("slow")
class ParserTest {
    /// From the strongest to the weakest, as MySQL's reference manual has them.
    private static final Map<String, Integer> PRECEDENCE =
            Map.ofEntries(
                    Map.entry("*", 1),
                    Map.entry("/", 1),
                    Map.entry("DIV", 1),
                    Map.entry("%", 1),
                    Map.entry("MOD", 1),
                    Map.entry("+", 2),
                    Map.entry("-", 2),
                    Map.entry("=", 3),
                    Map.entry("<=>", 3),
                    Map.entry(">=", 3),
                    Map.entry(">", 3),
                    Map.entry("<=", 3),
                    Map.entry("<", 3),
                    Map.entry("<>", 3),
                    Map.entry("!=", 3),
                    Map.entry("AND", 4),
                    Map.entry("OR", 5));

    private static Reading read(String mysql) {
        return Parser.read(NormalizedSql.of(mysql).text());
    }

    private static Expression condition(String mysql) {
        Reading reading = read("SELECT x FROM t WHERE " + mysql);
        assertThat(reading.leftOut()).as(mysql).isEmpty();
        Query.Select select = (Query.Select) Objects.requireNonNull(reading.query());
        return Objects.requireNonNull(select.where());
    }

    private static int strength(String operator) {
        return Objects.requireNonNull(PRECEDENCE.get(operator));
    }

    @Test
    void anyTwoOperatorsBindAsMySqlSays() {
        List<String> operators = new ArrayList<>(PRECEDENCE.keySet());
        for (String first : operators) {
            for (String second : operators) {
                String plain = "a " + first + " b " + second + " c";
                boolean left = strength(first) <= strength(second);
                String grouped =
                        left
                                ? "(a " + first + " b) " + second + " c"
                                : "a " + first + " (b " + second + " c)";
                assertThat(condition(plain)).as(plain).isEqualTo(condition(grouped));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NOT a = b | NOT (a = b)",
                "NOT a AND b | (NOT a) AND b",
                "NOT a IN (1, 2) | NOT (a IN (1, 2))",
                "NOT a LIKE 'x' | NOT (a LIKE 'x')",
                "NOT a BETWEEN 1 AND 2 OR b | (NOT (a BETWEEN 1 AND 2)) OR b",
                "a BETWEEN b AND c AND d | (a BETWEEN b AND c) AND d",
                "a = b IS NULL | (a = b) IS NULL",
                "- a * b | (- a) * b",
                "a - -b | a - (-b)",
                "a IN (1) = b | (a IN (1)) = b",
                "a LIKE b = c | (a LIKE b) = c",
                "a LIKE b ESCAPE '!' AND c | (a LIKE b ESCAPE '!') AND c",
                "a - INTERVAL 1 DAY > b | (a - INTERVAL 1 DAY) > b",
                "NOT NOT a | NOT (NOT a)"
            })
    void theOthersBindAsMySqlSays(String plain, String grouped) {
        assertThat(condition(plain)).isEqualTo(condition(grouped));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT FILE_WRITE(x'70', 'f') IS UNKNOWN FROM t",
                "SELECT CASE WHEN FILE_READ('f') IS UNKNOWN THEN 1 END FROM t",
                "SELECT * FROM CSVREAD('f')",
                "SELECT PUBLIC.QUIRE_MOD(v, 7) FROM t",
                "SELECT v FROM t WHERE id = 1::INT",
                "SELECT v FROM t WHERE v IS DISTINCT FROM 1",
                "INSERT INTO t DEFAULT VALUES",
                "SELECT v FROM t FETCH FIRST 1 ROWS ONLY",
                "SELECT TOP 1 v FROM t",
                "SELECT v FROM t QUALIFY v > 1",
                "SELECT ARRAY[1] FROM t",
                "SELECT v FROM t WHERE v = ANY(?)",
                "SELECT v || 'x' FROM t",
                "SELECT v && 1 FROM t",
                "SELECT @v FROM t",
                "SELECT v FROM t WHERE v = @@sql_mode",
                "SELECT @v := v FROM t",
                "SELECT !v FROM t",
                "SELECT BINARY v FROM t",
                "SELECT v FROM t WHERE v LIKE BINARY w",
                "SELECT v FROM t WHERE v LIKE BINARY ? + 1",
                "SELECT v FROM t WHERE v LIKE BINARY ? ESCAPE '!'",
                "SELECT v COLLATE utf8mb4_bin FROM t",
                "SELECT CAST(v AS TIME) FROM t",
                "SELECT CAST(v AS CHAR CHARACTER SET latin1) FROM t",
                "SELECT EXTRACT(YEAR_MONTH FROM v) FROM t",
                "SELECT CONVERT(v USING latin1) FROM t",
                "SELECT COUNT(*) OVER () FROM t",
                "SELECT SUM(DISTINCTROW v) FROM t",
                "SELECT GROUP_CONCAT(v LIMIT 1) FROM t",
                "SELECT GROUP_CONCAT(DISTINCT v ORDER BY w) FROM t",
                "SELECT GROUP_CONCAT(DISTINCT v, w) FROM t",
                "SELECT GROUP_CONCAT(v ORDER BY 1) FROM t",
                "SELECT GROUP_CONCAT(v SEPARATOR 'é') FROM t",
                "SELECT v FROM t GROUP BY v WITH ROLLUP",
                "SELECT v FROM t FOR UPDATE WAIT 5",
                "SELECT v INTO @x FROM t",
                "SELECT v FROM t INTO OUTFILE 'f'",
                "SELECT SQL_CALC_FOUND_ROWS v FROM t",
                "SELECT v FROM t PARTITION (p)",
                "SELECT v FROM t NATURAL JOIN u",
                "SELECT v FROM t, u RIGHT JOIN w ON u.i = w.i",
                "WITH x AS (SELECT v FROM t) SELECT 1 FROM x a, x b, x c, x d, x e, x f, x g, x h, x i",
                "WITH RECURSIVE x AS (SELECT 1) SELECT * FROM x, t",
                "WITH x (a) AS (SELECT 1) SELECT * FROM x, t",
                "WITH x AS (SELECT 1), y AS (SELECT 2) SELECT * FROM x, t",
                "WITH x AS (SELECT 1), X AS (SELECT 2) SELECT * FROM x, t",
                "WITH x AS (SELECT v FROM t FOR UPDATE) SELECT * FROM x",
                "WITH x AS (SELECT v FROM t) SELECT * FROM x FOR UPDATE",
                "SELECT * FROM (WITH x AS (SELECT v FROM t) SELECT * FROM x) y",
                "SELECT v FROM t EXCEPT SELECT w FROM u",
                "SELECT v XOR 1 FROM t",
                "SELECT v FROM t WHERE v SOUNDS LIKE 'x'",
                "SELECT v FROM t WHERE MATCH(v) AGAINST('x')",
                "SELECT v -> '$.x' FROM t",
                "INSERT DELAYED INTO t VALUES (1)",
                "INSERT INTO t VALUES (1) RETURNING v + 1",
                "INSERT INTO t VALUES (1) RETURNING v w",
                "INSERT INTO t VALUES (1) RETURNING v,",
                "DELETE FROM t WHERE v = 1 RETURNING v + 1",
                "DELETE t FROM t JOIN u USING (i) RETURNING v",
                "UPDATE t SET (v, w) = (1, 2)",
                "REPLACE INTO t PARTITION (p) VALUES (1)",
                "TABLE t",
                "VALUES ROW(1, 2)",
                "SELECT v FROM t; DELETE FROM t",
                "SELECT v FROM t WHERE v = w IN (1, 2)",
                "SELECT v FROM t WHERE v = w LIKE 'x'",
                "SELECT v FROM t WHERE v = w BETWEEN 1 AND 2",
                "SELECT v FROM t WHERE v BETWEEN 1 AND 5 = TRUE",
                "SELECT v FROM t WHERE (v, w) BETWEEN (1, 2) AND (3, 4)",
                "SELECT v FROM t WHERE v BETWEEN 1 AND (3, 4)",
                "SELECT v FROM t WHERE v BETWEEN 1 AND 5 IS NULL",
                "SELECT * FROM a JOIN b LEFT JOIN c ON c.i = b.i ON b.i = a.i",
                "SELECT * FROM a LEFT JOIN b LEFT JOIN c ON c.i = b.i ON b.i = a.i",
                "SELECT * FROM a, b JOIN c ON b.i = c.i RIGHT JOIN d ON d.i = c.i",
                "SELECT * FROM a, b JOIN c USING (i)",
                "SELECT v FROM t ORDER BY ?",
                "SELECT CURRENT_USER, v FROM t",
                "SELECT v FROM t WHERE d = UTC_DATE",
                "SELECT FROM t",
                "SELECT * FROM t RIGHT JOIN u USING (i)",
                "SELECT v FROM t WHERE i IN (SELECT i FROM u LIMIT 1)",
                "SELECT v FROM t WHERE i > ALL (SELECT i FROM u LIMIT 1)",
                "SELECT v FROM t WHERE i IN ((SELECT i FROM u LIMIT 1))",
                "SELECT v /*!80000 + 1 */ FROM t",
                "SELECT v /*!100000 + 1 */ FROM t",
                "SELECT v /*M! + 1 */ FROM t",
                "UPDATE t SET v = 1 /*!80000 WHERE i = 1 */",
                "SELECT _latin1'é' FROM t",
                "SELECT v FROM t WHERE v = _ucs2'ab'",
                "SELECT v FROM t LIMIT w",
            })
    void whatTheTreeHasNoNodeForHasNoTree(String mysql) {
        Reading reading = read(mysql);
        assertThat(reading.query()).isNull();
        assertThat(reading.change()).isNull();
        assertThat(reading.leftOut()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT v FROM t WHERE v == 1",
                "UPDATE t SET v = 1 WHERE v == 1",
                "SELECT v FROM t WHERE v > = 1",
                "SELECT v FROM t WHERE v < > 1",
                "SELECT v FROM t WHERE v ! = 1",
                "SELECT v FROM t LIMIT 1 + 1",
                "SELECT v FROM t LIMIT '1'",
                "SELECT v FROM t LIMIT 1.5",
                "SELECT v FROM t LIMIT NULL",
                "SELECT v FROM t LIMIT 1 OFFSET '1'",
                "SELECT v FROM t LIMIT 1 UNION ALL SELECT w FROM u",
                "SELECT v FROM t ORDER BY v UNION ALL SELECT w FROM u",
                "SELECT v FROM t UNION SELECT w FROM u LIMIT 1 UNION SELECT x FROM y",
                "DELETE FROM t LIMIT 1 OFFSET 1",
                "DELETE FROM t LIMIT 1, 1",
                "UPDATE t SET v = 1 LIMIT 1, 1"
            })
    void whatOnlyTheParserTakesIsNotUnderstood(String mysql) {
        Reading reading = read(mysql);
        assertThat(reading.understood()).isFalse();
        assertThat(reading.leftOut()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "EXTRACT(MONTH FROM d) = 1 | MONTH(d) = 1",
                "EXTRACT(day from d) = 1 | DAY(d) = 1",
                "CAST(d AS DATE) = x | DATE(d) = x",
                "CAST(DATE_FORMAT(d, ?) AS DATE) = x | DATE(DATE_FORMAT(d, ?)) = x"
            })
    void partsOfMomentsAreThoseOfFunctions(String written, String function) {
        assertThat(condition(written)).isEqualTo(condition(function));
    }

    @Test
    void binaryStandsBeforeConstantsToo() {
        Reading reading = read("SELECT SUM(CASE WHEN v LIKE BINARY 'x%' THEN 1 END) AS n FROM t");
        assertThat(reading.leftOut()).isEmpty();
        assertThat(reading.query()).asString().contains("binary=true");
    }

    @Test
    void binaryBindsToThePatternAlone() {
        assertThat(condition("v LIKE ? AND w NOT LIKE BINARY ? AND x = ?"))
                .isEqualTo(
                        new Expression.Every(
                                List.of(
                                        condition("v LIKE ?"),
                                        new Expression.Like(
                                                new Expression.Column("", "", "w"),
                                                new Expression.Parameter(1),
                                                null,
                                                true,
                                                true),
                                        new Expression.Binary(
                                                BinaryOperator.EQUAL,
                                                new Expression.Column("", "", "x"),
                                                new Expression.Parameter(2)))));
    }

    @Test
    void columnsThatAChangeReturnsAreRead() {
        assertThat(read("INSERT INTO t (v) VALUES (1) RETURNING `t`.`i`, v AS w, *").change())
                .isInstanceOfSatisfying(
                        Change.Insert.class,
                        insert ->
                                assertThat(insert.returned())
                                        .containsExactly(
                                                new Query.Shown(
                                                        new Expression.Column("", "t", "i"),
                                                        "",
                                                        "i"),
                                                new Query.Shown(
                                                        new Expression.Column("", "", "v"),
                                                        "w",
                                                        "v"),
                                                new Query.Everything("", "")));
        assertThat(read("INSERT INTO t SELECT v FROM u AS returning").change())
                .isInstanceOfSatisfying(
                        Change.Insert.class, insert -> assertThat(insert.returned()).isEmpty());
        assertThat(read("DELETE FROM t WHERE v = 1 RETURNING v").change())
                .isInstanceOfSatisfying(
                        Change.Delete.class,
                        delete ->
                                assertThat(delete.returned())
                                        .containsExactly(
                                                new Query.Shown(
                                                        new Expression.Column("", "", "v"),
                                                        "",
                                                        "v")));
        assertThat(read("DELETE FROM t ORDER BY returning DESC").change())
                .isInstanceOfSatisfying(
                        Change.Delete.class, delete -> assertThat(delete.returned()).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO t (v) VALUES (?) RETURNING i + 1",
                "INSERT INTO t (v) VALUES (?) RETURNING (i)",
                "INSERT INTO t SET v = 1 RETURNING UPPER(v) AS w, i",
                "INSERT INTO t (v) VALUES (1) RETURNING (SELECT MAX(w) FROM u), *",
                "REPLACE INTO t (v) VALUES (1) RETURNING CONCAT(v, 'x')",
                "DELETE FROM t WHERE v = 1 RETURNING -v",
                "DELETE FROM t RETURNING UPPER(v)",
                "DELETE FROM t ORDER BY v LIMIT 1 RETURNING v * ?"
            })
    void whatReturnsExpressionsIsKnownByItsTable(String mysql) {
        Reading reading = read(mysql);
        assertThat(reading.shows()).isTrue();
        assertThat(reading.change()).isNull();
        assertThat(reading.changes()).containsExactly(new TableName("", "t"));
        assertThat(reading.leftOut()).isEqualTo("RETURNING of expressions");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO t (v) WITH x AS (SELECT w FROM u) SELECT w FROM x",
                "INSERT INTO t WITH x (w) AS (SELECT ?), y AS (SELECT w FROM u) SELECT * FROM x, y",
                "REPLACE t (v) WITH RECURSIVE x AS (SELECT 1 UNION SELECT w FROM x, u) SELECT w FROM x",
                "INSERT INTO t WITH x AS (SELECT w FROM u) SELECT w FROM x ON DUPLICATE KEY UPDATE v = ?"
            })
    void anInsertOfAQueryWithWithIsKnownByItsTables(String mysql) {
        Reading reading = read(mysql);
        assertThat(reading.change()).isNull();
        assertThat(reading.reads())
                .containsExactlyInAnyOrder(new TableName("", "t"), new TableName("", "u"));
        assertThat(reading.changes()).containsExactly(new TableName("", "t"));
        assertThat(reading.leftOut()).isEqualTo("WITH");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO t SELECT returning FROM u",
                "INSERT INTO t (v) VALUES (u.returning)",
                "UPDATE t SET v = 1 RETURNING v + 1",
                "INSERT INTO t (v) VALUES (1) RETURNING",
                "INSERT INTO t (v VALUES (1) RETURNING v + 1"
            })
    void otherReturningsShowNothing(String mysql) {
        assertThat(read(mysql).shows()).isFalse();
    }

    @Test
    void anInOfOneQueryInParenthesesIsAnInOfItsRows() {
        assertThat(condition("i IN ((SELECT i FROM u))"))
                .isEqualTo(condition("i IN (SELECT i FROM u)"));
    }

    @Test
    void whatSomeServersReadIsKnownByItsTables() {
        assertThat(read("SELECT * FROM t /*!80000 , u */").reads())
                .contains(new TableName("", "t"), new TableName("", "u"));
        assertThat(read("SELECT v /*!40101 + 1 */ FROM t").leftOut()).isEmpty();
        assertThat(read("SELECT v /*!999999 + 1 */ FROM t").leftOut()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "DELETE FROM t WHERE d < DATE '2020-01-01' | OF_DATE",
                "UPDATE t SET d = timestamp'2020-01-01 10:00:00' | OF_TIMESTAMP",
                "INSERT INTO t SELECT TIME '10:00:00' | OF_TIME"
            })
    void typedConstantsAreFunctionsOfTheirTexts(String mysql, String function) {
        Reading reading = read(mysql);
        assertThat(reading.changes()).containsExactly(new TableName("", "t"));
        assertThat(reading.leftOut()).isEmpty();
        assertThat(String.valueOf(reading.change())).contains("function=" + function + ",");
        assertThat(condition("date < ?").toString()).doesNotContain("CONSTANT");
        assertThat(condition("t.date = 'x'").toString()).doesNotContain("CONSTANT");
    }

    @Test
    void aQueryOfWithIsADerivedTableWhereverItIsNamed() {
        assertThat(
                        read("WITH x AS (SELECT v FROM t), y AS (SELECT v FROM X a) SELECT COUNT(*) FROM y, x")
                                .query())
                .isEqualTo(
                        read("SELECT COUNT(*) FROM (SELECT v FROM (SELECT v FROM t) a) y, (SELECT v FROM t) x")
                                .query());
    }

    @Test
    void tablesAreNamedAlsoWhereThereIsNoTree() {
        Reading reading =
                read(
                        "WITH c (x) AS (SELECT * FROM a) SELECT CAST(x AS CHAR) FROM c JOIN shop.b ON 1 WHERE x IN (SELECT y FROM `d d`)");
        assertThat(reading.query()).isNull();
        assertThat(reading.reads())
                .containsExactlyInAnyOrder(
                        new TableName("", "a"),
                        new TableName("shop", "b"),
                        new TableName("", "d d"));
    }

    /// Druid takes no letter of Latin-1 where no quotes are around.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT \u00e9t\u00e9.stra\u00dfe AS \u00fcber FROM \u00e9t\u00e9 WHERE stra\u00dfe > 1 ORDER BY \u00fcber",
                "INSERT INTO \u00e9t\u00e9 (stra\u00dfe) VALUES (1)",
                "INSERT INTO \u00e9t\u00e9(\u3000,\u00b5) VALUES (1, 2) ON DUPLICATE KEY UPDATE \u00b5 = VALUES(\u00b5)",
                "UPDATE \u00e9t\u00e9 \u00e7 SET \u00e7.stra\u00dfe = 1",
                "DELETE FROM \u00e9t\u00e9 WHERE stra\u00dfe IN (SELECT stra\u00dfe FROM \u00e9t\u00e9)"
            })
    void namesAreOfAnyLetters(String mysql) {
        assertThat(read(mysql).leftOut()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WITH t AS (SELECT * FROM t WHERE a > 1) SELECT * FROM t",
                "SELECT * FROM t JOIN (WITH t AS (SELECT 1 x) SELECT * FROM t) d",
                "DELETE t FROM t WHERE a = 1",
                "DELETE FROM t USING t WHERE a = 1"
            })
    void aNameOfWithOrOfATargetHidesNoTable(String mysql) {
        assertThat(read(mysql).reads()).containsExactly(new TableName("", "t"));
    }

    @Test
    void aNameOfWithIsNoTable() {
        assertThat(
                        read("WITH RECURSIVE c AS (SELECT 1 UNION SELECT * FROM c) SELECT * FROM c")
                                .reads())
                .isEmpty();
        assertThat(
                        read("WITH b AS (SELECT * FROM a), c AS (SELECT * FROM b) SELECT * FROM c")
                                .reads())
                .containsExactly(new TableName("", "a"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "INSERT INTO a SELECT * FROM b | a",
                "REPLACE INTO a (x) VALUES (1) | a",
                "UPDATE a JOIN b ON a.i = b.i SET b.x = a.x | b",
                "UPDATE a p, b q SET p.x = q.x | a",
                "DELETE p FROM a p JOIN b ON p.i = b.i | a",
                "DELETE p.* FROM a p, b | a",
                "DELETE FROM p USING a p JOIN b ON p.i = b.i | a",
                "DELETE FROM a WHERE x = (SELECT 1 FROM b) | a"
            })
    void theChangedTableIsKnown(String mysql, String table) {
        assertThat(read(mysql).changes()).containsExactly(new TableName("", table));
    }

    @Test
    void plusesAndBracketsAreNoPartOfTheHeadingOfWhatStandsAlone() {
        Query.Select select =
                (Query.Select)
                        read("SELECT + + 16, ( + 7 ), +a, ( + ( t.a ) ), + 'x', - 5, + (a + 1), +a+b FROM t")
                                .query();
        assertThat(Objects.requireNonNull(select).items())
                .map(item -> ((Query.Shown) item).heading())
                .containsExactly("16", "7", "", "", "x", "- 5", "+ (a + 1)", "+a+b");
    }

    @Test
    void columnsWithoutAliasAreHeadedByTheirText() {
        Query.Select select =
                (Query.Select)
                        read("(SELECT DISTINCT count( * ), a, b c, 'x y', IF(a, (b), 2) FROM t)")
                                .query();
        assertThat(Objects.requireNonNull(select).items())
                .map(item -> ((Query.Shown) item).heading())
                .containsExactly("count( * )", "", "", "x y", "IF(a, (b), 2)");
    }

    @ParameterizedTest
    @CsvSource({
        "SELECT v FROM t FOR UPDATE, UPDATE",
        "SELECT v FROM t FOR SHARE, SHARE",
        "SELECT v FROM t lock  in SHARE mode, SHARE",
        "SELECT 'LOCK IN SHARE MODE' FROM t, NONE"
    })
    void lockingReadsAreKnown(String mysql, Query.Locking locking) {
        Reading reading = read(mysql);
        assertThat(reading.query())
                .isInstanceOfSatisfying(
                        Query.Select.class,
                        select -> assertThat(select.locking()).isEqualTo(locking));
        assertThat(reading.locking()).isEqualTo(locking != Query.Locking.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "SELECT v FROM t FOR UPDATE NOWAIT, UPDATE, NOWAIT",
        "SELECT v FROM t FOR UPDATE SKIP LOCKED, UPDATE, SKIP_LOCKED",
        "SELECT v FROM t FOR SHARE NOWAIT, SHARE, NOWAIT",
        "SELECT v FROM t FOR SHARE SKIP LOCKED, SHARE, SKIP_LOCKED",
        "SELECT v FROM t WHERE a = ? LIMIT 1 LOCK IN SHARE MODE SKIP LOCKED, SHARE, SKIP_LOCKED"
    })
    void whatTheyDoAboutLockedRowsIsKnown(
            String mysql, Query.Locking locking, Query.Waiting waiting) {
        Reading reading = read(mysql);
        assertThat(reading.query())
                .isInstanceOfSatisfying(
                        Query.Select.class,
                        select -> {
                            assertThat(select.locking()).isEqualTo(locking);
                            assertThat(select.waiting()).isEqualTo(waiting);
                        });
        assertThat(reading.locking()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT v FROM t SKIP LOCKED",
                "SELECT v FROM t UNION SELECT v FROM t LOCK IN SHARE MODE SKIP LOCKED",
                "SELECT share SKIP LOCKED",
                "DELETE FROM t LOCK IN SHARE MODE SKIP LOCKED"
            })
    void othersPassOverNothing(String sql) {
        Reading reading = read(sql);
        assertThat(reading.query()).isNull();
        assertThat(reading.change()).isNull();
    }

    @Test
    void parametersAndConstantsKeepTheirOrder() {
        Change change = read("UPDATE t SET a = ?, b = 'x' WHERE c = ? LIMIT 3").change();
        Change.Update update = (Change.Update) Objects.requireNonNull(change);
        assertThat(update.assignments())
                .map(Change.Assignment::value)
                .containsExactly(new Expression.Parameter(0), new Expression.Parameter(1));
        assertThat(Objects.requireNonNull(update.limit()).rows())
                .isEqualTo(new Expression.Parameter(3));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "(-1, ?,-2, 'x'), (?,-v, - -3) | ((-1), ?, (-2), 'x'), (?, (-v), (-(-3)))",
                "( -1),(-?) | ((-1)), ((-?))",
                "(-(1), -1 - -1) | ((-(1)), (-1) - (-1))",
            })
    void rowsMayBeginWithAMinus(String rows, String grouped) {
        for (String before : List.of("INSERT INTO t VALUES ", "REPLACE INTO t VALUE ")) {
            Change change = read(before + rows).change();
            assertThat(change).isNotNull().isEqualTo(read(before + grouped).change());
        }
    }

    @Test
    void whatIsNestedTooDeeplyEndsInAnAnswer() {
        for (String mysql :
                List.of(
                        "SELECT " + "(".repeat(100_000) + "1" + ")".repeat(100_000),
                        "SELECT 1 FROM t WHERE a = 1" + " + 1".repeat(100_000),
                        "SELECT 1 FROM t WHERE a = 1" + " + 1".repeat(250),
                        "SELECT 1 FROM t WHERE " + "NOT ".repeat(100_000) + "a",
                        "SELECT " + "- ".repeat(100_000) + "1 FROM t")) {
            Reading reading = read(mysql);
            assertThat(reading.query()).isNull();
            assertThat(reading.leftOut()).isNotEmpty();
        }
    }

    @Test
    void derivedTablesInEachOtherAndJoinsAreBounded() {
        for (int depth : List.of(6, 7)) {
            String nested = "(SELECT v FROM ".repeat(depth) + "t" + ") d".repeat(depth);
            assertThat(read("SELECT v FROM " + nested).query() == null).isEqualTo(depth > 6);
        }
        for (int tables : List.of(61, 62)) {
            String join = "SELECT 1 FROM t0" + ", t".repeat(tables - 1);
            assertThat(read(join).query() == null).isEqualTo(tables > 61);
        }
        String side = "(SELECT v FROM t) a";
        assertThat(read("SELECT 1 FROM " + side + (", " + side).repeat(30)).query()).isNotNull();
    }

    @Test
    void aLongChainOfConditionsIsNoDeepTree() {
        Expression condition = condition("a = 1" + " OR a = 2".repeat(1_000));
        assertThat(((Expression.Any) condition).conditions()).hasSize(1_001);
    }
}
