package org.quiredb.sql.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.text.Operand.Literal;
import org.quiredb.sql.text.Operand.Parameter;

class NormalizedSqlTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "SELECT a FROM t WHERE b = 'x' AND c IN (1,2) | SELECT a FROM t WHERE b = ? AND c IN (?,?)",
                "SELECT 1, 'it\\'s', \"d\"\"q\" FROM t WHERE a=-5; | SELECT 1, 'it''s', 'd\"q' FROM t WHERE a=-?",
                "SELECT 'a\\\\b\\%' AS 'x y' FROM t | SELECT 'a\\b\\%' AS `x y` FROM t",
                "select a  from t -- c # ' | select a from t",
                "SELECT a/* c ' */FROM t # end | SELECT a FROM t",
                "SELECT /*!40001 SQL_NO_CACHE */ a FROM t | SELECT SQL_NO_CACHE a FROM t",
                "SELECT a FROM t ORDER BY 2, FIELD(a,'x') LIMIT 5, 10 | SELECT a FROM t ORDER BY 2, FIELD(a,'x') LIMIT ?, ?",
                "SELECT b FROM t GROUP BY b+1 HAVING b > 3 | SELECT b FROM t GROUP BY b+1 HAVING b > ?",
                "SELECT (SELECT 1 FROM u WHERE k=2)+3 FROM t WHERE a>4 | SELECT (SELECT 1 FROM u WHERE k=?)+3 FROM t WHERE a>?",
                "SELECT a FROM t WHERE CAST(b AS DECIMAL(10,2)) = 1.5 | SELECT a FROM t WHERE CAST(b AS DECIMAL(10,2)) = ?",
                "SELECT a FROM t WHERE d > NOW(6) - INTERVAL 3 DAY | SELECT a FROM t WHERE d > NOW(6) - INTERVAL 3 DAY",
                "SELECT a FROM t WHERE d = DATE '2026-01-01' AND e = _utf8mb4'x' | SELECT a FROM t WHERE d = DATE ? AND e = ?",
                "INSERT INTO t VALUES (-9223372036854775808, -9223372036854775807) | INSERT INTO t VALUES (?, -?)",
                "SELECT -9223372036854775808, a FROM t | SELECT -9223372036854775808, a FROM t",
                "SELECT _binary'a', _binary 'b', _binary x'63', _binary, a_binary FROM t | SELECT x'61', x'62', x'63', _binary, a_binary FROM t",
                "INSERT INTO t (a,b) VALUES ('x' 'y',N'z'),(0x0A,x'0b') | INSERT INTO t (a,b) VALUES (?,?),(?,?)",
                "INSERT INTO t SELECT 7, a FROM u WHERE b=8 | INSERT INTO t SELECT 7, a FROM u WHERE b=?",
                "UPDATE `t?` SET a1=a1+1, b='?' WHERE c=? ORDER BY 1 LIMIT 1 | UPDATE `t?` SET a1=a1+?, b=? WHERE c=? ORDER BY 1 LIMIT ?",
                "(SELECT a FROM t WHERE b=1) UNION (SELECT 2) | (SELECT a FROM t WHERE b=?) UNION (SELECT 2)",
                "DELETE FROM t WHERE a=5--1 | DELETE FROM t WHERE a=?- -?",
                "SELECT TRIM(LEADING 'x' FROM a) FROM t | SELECT TRIM(LEADING 'x' FROM a) FROM t",
                "SELECT t.a FROM s.t WHERE t.b=.5 | SELECT t.a FROM s.t WHERE t.b=?",
                "CREATE TABLE t (a INT DEFAULT 5, b CHAR(3) DEFAULT \"x\"); | CREATE TABLE t (a INT DEFAULT 5, b CHAR(3) DEFAULT 'x')",
                "SET NAMES 'utf8mb4' | SET NAMES 'utf8mb4'"
            })
    void constantsBecomeOperandsWhereTheyAreOnlyValues(String text, String normalized) {
        assertThat(NormalizedSql.of(text).text()).isEqualTo(normalized);
    }

    @Test
    void operandsStandInTheOrderOfTheText() {
        NormalizedSql sql =
                NormalizedSql.of(
                        "UPDATE t SET a = 'x\\n', b = ? WHERE c = 18446744073709551615 AND d = ? AND e = 1.50");
        assertThat(sql.operands())
                .containsExactly(
                        new Literal(SqlValue.of("x\n")),
                        new Parameter(0),
                        new Literal(new SqlValue.IntegerValue(-1, true)),
                        new Parameter(1),
                        new Literal(new SqlValue.DecimalValue("1.50")));
        assertThatThrownBy(() -> sql.bind(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void statementsAreSplitOutsideQuotesAndComments() {
        assertThat(Tokens.statements("SELECT ';'; /* ; */ UPDATE `a;b` SET c=1 ;-- ;\n;", true))
                .containsExactly("SELECT ';'", "/* ; */ UPDATE `a;b` SET c=1");
        assertThat(Tokens.statements(" -- nothing;", true)).isEmpty();
        String program =
                "CREATE DEFINER=CURRENT_USER() FUNCTION f() RETURNS INT BEGIN SET a = 1; RETURN 1; END";
        assertThat(Tokens.statements(program, true)).containsExactly(program);
        assertThat(Tokens.statements("CREATE TABLE t (i INT); BEGIN", true)).hasSize(2);
        String branch =
                "CREATE TRIGGER a AFTER INSERT ON t FOR EACH ROW IF NEW.i > 1 THEN SET @x = 1; END IF";
        assertThat(Tokens.statements(branch, true)).containsExactly(branch);
        assertThat(
                        Tokens.statements(
                                "SELECT ';' /* ; */; -- ;\n UPDATE t SET a = 'it''s;\\';';", true))
                .hasSize(2);
        assertThat(Tokens.statements("DELETE FROM t; SELECT 'a;", true))
                .containsExactly("DELETE FROM t", "SELECT 'a;");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT 'a", "SELECT `a", "SELECT /* a", "SELECT \"a\\\""})
    void whatDoesNotEndIsASyntaxError(String text) {
        assertThatThrownBy(() -> NormalizedSql.of(text)).isInstanceOf(QuireException.class);
    }

    @Test
    void randomConstantsSurviveNormalising() {
        long seed = Long.getLong("quire.seed", 20260101L);
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            List<SqlValue> values = new ArrayList<>();
            StringBuilder text = new StringBuilder("INSERT INTO t VALUES (");
            for (int i = 0; i <= random.nextInt(5); i++) {
                SqlValue value = value(random);
                text.append(values.isEmpty() ? "" : ",").append(value.literal());
                values.add(value);
            }
            text.append(')');
            NormalizedSql first = NormalizedSql.of(text.toString());
            List<SqlValue> bound = first.bind(List.of());
            assertThat(bound)
                    .as("seed %d round %d", seed, round)
                    .usingRecursiveComparison()
                    .isEqualTo(values);
        }
    }

    private static SqlValue value(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> SqlValue.of(random.nextLong(Long.MAX_VALUE));
            case 1 -> new SqlValue.DecimalValue(random.nextInt(1000) + "." + random.nextInt(1000));
            case 2 ->
                    new SqlValue.DoubleValue(
                            random.nextDouble() * Math.pow(10, random.nextInt(40) - 20));
            case 3 -> {
                byte[] bytes = new byte[1 + random.nextInt(9)];
                random.nextBytes(bytes);
                yield new SqlValue.BytesValue(bytes);
            }
            default -> SqlValue.of(string(random));
        };
    }

    private static String string(Random random) {
        String alphabet = "ab'\"`\\?%_;#-/* \0\n\r\t\u001a\bnZ0äß€";
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < random.nextInt(30); i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }
}
