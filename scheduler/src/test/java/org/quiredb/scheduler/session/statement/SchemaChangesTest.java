package org.quiredb.scheduler.session.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "",
            textBlock =
                    """
                    ALTER TABLE t WAIT 3 ADD x INT                  |                                    | 3
                    ALTER TABLE a.t NOWAIT ADD x INT                | SET lock_wait_timeout = 7          | 0
                    ALTER IGNORE TABLE IF EXISTS t WAIT 2 DROP x;   |                                    | 2
                    ALTER TABLE t ADD nowait INT, DROP nowait       |                                    |
                    DROP TABLE a, b WAIT 4 RESTRICT                 |                                    | 4
                    DROP TABLE IF EXISTS t NOWAIT                   |                                    | 0
                    DROP TABLE IF EXISTS nowait                     |                                    |
                    DROP TABLE a, nowait                            |                                    |
                    TRUNCATE TABLE t NOWAIT;                        |                                    | 0
                    CREATE INDEX i ON t WAIT 5 (x)                  |                                    | 5
                    CREATE UNIQUE INDEX i ON t (x) NOWAIT           |                                    | 0
                    CREATE INDEX i ON nowait (x)                    |                                    |
                    CREATE VIEW v AS SELECT nowait                  |                                    |
                    RENAME TABLE a NOWAIT TO b                      |                                    | 0
                    DROP TABLE t                                    |                                    |
                    DROP TABLE t                                    | SET SESSION lock_wait_timeout = 3  | 3
                    DROP TABLE t                                    | SET lock_wait_timeout = DEFAULT    |
                    DROP TABLE t                                    | SET innodb_lock_wait_timeout = 3   |
                    """)
    void waitsForAsLongAsItSaysOrItsSessionByANumber(
            String sql, @Nullable String setting, @Nullable Long seconds) {
        List<String> settings = setting == null ? List.of() : List.of(setting);

        OptionalLong asked = SchemaChanges.askedWait(Tokens.of(sql), settings);

        assertThat(asked.isPresent() ? asked.getAsLong() : null).isEqualTo(seconds);
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
