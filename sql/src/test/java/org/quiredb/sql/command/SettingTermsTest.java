package org.quiredb.sql.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.sql.text.Tokens;

final class SettingTermsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT @@sql_mode",
                "select @@session.sql_mode as m, @@version_comment LIMIT 1",
                "SELECT @@LOCAL.`sql_mode` m",
                "SELECT VERSION(), @@sql_mode, @@default_storage_engine, @@sql_auto_is_null, 'x' AS y",
                "SELECT DATABASE()",
                "SELECT CURRENT_USER, current_user() u",
                "SELECT 1",
                "SELECT 1 + 2 * 3 AS n, 'x' FROM DUAL LIMIT 1",
                "SELECT VERSION() FROM dual"
            })
    void dependsOnTheSessionAlone(String sql) {
        assertThat(SettingTerms.shown(tokens(sql))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1 +",
                "SELECT 1 - 2",
                "SELECT 1 FROM t",
                "SELECT @@global.sql_mode",
                "SELECT @@timestamp",
                "SELECT @@sql_mode.x",
                "SELECT @x, @@sql_mode",
                "SELECT @@sql_mode INTO @x",
                "SELECT @@sql_mode FROM t",
                "SELECT @@sql_mode WHERE RAND() < 0.5",
                "SELECT @@sql_mode + 1",
                "SELECT VERSION(), CONNECTION_ID()",
                "SELECT USER",
                "SELECT ?",
                "SELECT @@sql_mode, ?",
                "SET sql_mode = ''",
                "SELECT @@sql_mode,"
            })
    void dependsOnMore(String sql) {
        assertThat(SettingTerms.shown(tokens(sql))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET sql_mode = 'STRICT_ALL_TABLES'",
                "SET SESSION group_concat_max_len = 4096",
                "SET sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES')",
                "SET NAMES utf8mb4",
                "5"
            })
    void isConstant(String assignment) {
        assertThat(SettingTerms.constant(tokens(assignment))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET group_concat_max_len = @x",
                "SET group_concat_max_len = (SELECT 5)",
                "SET group_concat_max_len = RAND() * 10",
                "SET innodb_lock_wait_timeout = CURRENT_TIMESTAMP",
                "SET timestamp = @@timestamp",
                "SET group_concat_max_len = (TABLE cfg)",
                "SET sql_mode = CONCAT((SELECT m FROM modes))",
                "SET group_concat_max_len = NEXT VALUE FOR s",
                "SET x = CONCAT(NOW(), 'x')"
            })
    void isNot(String assignment) {
        assertThat(SettingTerms.constant(tokens(assignment))).isFalse();
    }

    private static Tokens tokens(String sql) {
        return Tokens.of(sql).plain();
    }
}
