package org.quiredb.sql.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.sql.text.Tokens;

final class SetReaderTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET sql_mode = 'STRICT_ALL_TABLES'",
                "SET @@session.lock_wait_timeout := 5",
                "SET SESSION foreign_key_checks=0",
                "SET default_storage_engine = InnoDB",
                "SET div_precision_increment = -1",
                "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
                "SET SESSION TRANSACTION READ ONLY"
            })
    void aPlainValueMeansTheSameToEverybody(String assignment) {
        assertThat(SetReader.isConstant(Tokens.of(assignment))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET @x = 1",
                "SET lock_wait_timeout = IF(CURRENT_USER() LIKE 'quire@%', SLEEP(1e8), 5)",
                "SET lock_wait_timeout = (SELECT COUNT(*) FROM information_schema.processlist)",
                "SET lock_wait_timeout = @x",
                "SET lock_wait_timeout = @@version",
                "SET lock_wait_timeout = CASE WHEN CURRENT_USER LIKE 'quire@%' THEN 1 ELSE 5 END",
                "SET lock_wait_timeout = 1 /*!50000 + SLEEP(9) */",
                "SET lock_wait_timeout = 5 = 5"
            })
    void anExpressionIsNone(String assignment) {
        assertThat(SetReader.isConstant(Tokens.of(assignment))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SET a = 1, @@SESSION.b := (1, 2), @c = 3|a=1; b=(1, 2); @c",
                "SET LOCAL x = 'a,\\'' , `y` = @@GLOBAL.z|x='a,\\''; y=@@GLOBAL.z",
                "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY|transaction READ_ONLY",
                "SET TRANSACTION READ WRITE|next transaction READ_WRITE",
                "SET NAMES 'utf8mb4' COLLATE utf8mb4_bin, a = 1|names utf8mb4; a=1",
                "SET CHARACTER SET utf8|names utf8",
                "SET max_statement_time=100|max_statement_time=100"
            })
    void eachAssignmentIsOne(String sql, String settings) {
        assertThat(text(sql)).isEqualTo(settings);
    }

    /// Whatever spelling, it would be carried out on the backend.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SET GLOBAL a = 1|global a=1",
                "SET b = 2, @@global.a = 1|b=2; global a=1",
                "SET @@`Global` . a = 1|global a=1",
                "SET PERSIST a = 1|global a=1",
                "SET /*!50000 GLOBAL */ a = 1|global a=1",
                "SET /*!80000 GLOBAL */ a = 1|global a=1",
                "SET /*M!99999 GLOBAL */ a = 1|global a=1",
                "SET GLOBAL TRANSACTION READ ONLY|global transaction READ_ONLY",
                "SET STATEMENT max_statement_time=100 FOR INSERT INTO d.t VALUES (1)|STATEMENT",
                "SET a = 1, PASSWORD = PASSWORD('x')|a=1; PASSWORD",
                "SET PASSWORD FOR u = 'x'|PASSWORD",
                "SET ROLE r|ROLE",
                "SET DEFAULT ROLE r|DEFAULT"
            })
    void whatIsOfMoreThanTheSessionIsToldApart(String sql, String settings) {
        assertThat(text(sql)).isEqualTo(settings);
    }

    private static String text(String sql) {
        return SetReader.of(Tokens.of(sql)).stream()
                .map(SetReaderTest::text)
                .collect(Collectors.joining("; "));
    }

    private static String text(Setting setting) {
        return switch (setting) {
            case Setting.Variable v -> (v.global() ? "global " : "") + v.name() + "=" + v.value();
            case Setting.UserVariable(String name, String _, String _) -> "@" + name;
            case Setting.CharacterSet(String name, String _) -> "names " + name;
            case Setting.OfTransactions t ->
                    (t.once() ? "next " : "")
                            + (t.global() ? "global " : "")
                            + "transaction "
                            + t.access();
            case Setting.Other(String what, String _) -> what;
        };
    }
}
