package org.quiredb.scheduler.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AssignmentsTest {
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
        assertThat(Assignments.isConstant(assignment)).isTrue();
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
        assertThat(Assignments.isConstant(assignment)).isFalse();
    }
}
