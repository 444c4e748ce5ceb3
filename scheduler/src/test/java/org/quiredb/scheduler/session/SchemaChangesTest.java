package org.quiredb.scheduler.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.error.QuireException;
import org.quiredb.sql.text.Tokens;

final class SchemaChangesTest {
    private static final List<String> OF_SESSION =
            List.of(
                    "SET lock_wait_timeout = 31536000",
                    "SET @x = SLEEP(9)",
                    "SET foreign_key_checks = 0");

    /// An applier that has no memory left for its own work never comes back from it.
    @Test
    void aSchemaChangeTakesFromItsSessionWhatDecidesItAlone() {
        List<String> settings =
                List.of(
                        "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
                        "SET max_session_mem_used = 8192",
                        "SET SESSION sql_mode = ''",
                        "SET @@session.max_statement_time = 1",
                        "SET SESSION TRANSACTION READ ONLY",
                        "SET @@unique_checks := 0",
                        "SET timestamp = 1700000000.500000",
                        "SET @a = 1");
        assertThat(SchemaChanges.settings(settings, true, 10))
                .containsSubsequence(
                        "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
                        "SET SESSION sql_mode = ''",
                        "SET @@unique_checks := 0",
                        "SET timestamp = 1700000000.500000",
                        "SET @a = 1")
                .hasSize(6);
    }

    @Test
    void aSchemaChangeComputesInTheCharacterSetsOfItsSession() {
        String sets =
                "SET character_set_client = utf8mb4, character_set_results = utf8mb4, collation_connection = latin2_general_ci";
        assertThat(
                        SchemaChanges.settings(
                                List.of(sets, "SET sql_notes = (SELECT 1), unique_checks = 0"),
                                false,
                                10))
                .startsWith(sets)
                .hasSize(2);
    }

    /// While it waits all updates do.
    @Test
    void aSchemaChangeWaitsNoLongerThanTheLimitWhateverItsClientHasSet() {
        assertThat(SchemaChanges.settings(OF_SESSION, false, 10))
                .containsExactly(
                        "SET lock_wait_timeout = 31536000",
                        "SET foreign_key_checks = 0",
                        "SET lock_wait_timeout = CAST(LEAST(@@lock_wait_timeout, 10) AS UNSIGNED)");
        assertThat(SchemaChanges.settings(OF_SESSION, true, 10)).hasSize(4);
    }

    @Test
    void isTriedForAsLongAsTheSessionSaysByANumber() {
        assertThat(SchemaChanges.patience(List.of(), 10)).isEqualTo(10);
        assertThat(SchemaChanges.patience(OF_SESSION, 10)).isEqualTo(10);
        assertThat(SchemaChanges.patience(List.of("SET SESSION lock_wait_timeout = 3"), 10))
                .isEqualTo(3);
        assertThat(SchemaChanges.patience(List.of("SET innodb_lock_wait_timeout = 3"), 10))
                .isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE t WAIT 11 ADD x INT",
                "DROP TABLE t WAIT 1e9",
                "DROP TABLE t WAIT 0xFFFF",
                "TRUNCATE TABLE t /* */ wait /*!999999 */ 100000000000"
            })
    void norThanItsTextSays(String sql) {
        assertThatThrownBy(() -> SchemaChanges.requireShortWait(Tokens.of(sql), 10))
                .isInstanceOf(QuireException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE t WAIT 10 ADD wait INT DEFAULT 11",
                "DROP TABLE wait, `wait` NOWAIT",
                "CREATE TABLE t (a INT COMMENT 'WAIT 11')"
            })
    void whatSaysLessIsTaken(String sql) {
        assertThatCode(() -> SchemaChanges.requireShortWait(Tokens.of(sql), 10))
                .doesNotThrowAnyException();
    }
}
