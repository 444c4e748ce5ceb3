package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a session keeps from one statement to the next (`session.sql`) is what MariaDB's keeps:
/// ids, counts, warnings, user variables, prepared statements.
@ExtendWith(BothSides.class)
@Tag("slow")
final class KeptBySessionTest {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyStatementIsAnsweredAsByMariaDb(boolean prepared, BothSides.Ports ports)
            throws Exception {
        List<String> differences = new ArrayList<>();
        try (Connection quire = SameAnswersTest.connect(ports.quire(), prepared);
                Connection mariaDb = SameAnswersTest.connect(ports.mariaDb(), prepared)) {
            for (String sql : SameAnswersTest.statements("session.sql")) {
                Answer expected = Answer.of(mariaDb, sql, prepared);
                Answer actual = Answer.of(quire, sql, prepared);
                if (!actual.equals(expected)) {
                    differences.add(sql + "\n  expected " + expected + "\n  actual   " + actual);
                }
            }
        }
        assertThat(differences).isEmpty();
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    @Test
    void whoHasNoDatabaseIsNotInThatOfAnother(BothSides.Ports ports) throws Exception {
        try (Connection inDatabase = SameAnswersTest.connect(ports.quire(), false);
                Connection outside =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:" + ports.quire() + "/",
                                BothSides.USER,
                                BothSides.PASSWORD)) {
            String asked = "SELECT DATABASE(), SLEEP(0)"; // which the backend runs
            assertThat(Answer.of(inDatabase, asked, false).lines())
                    .last()
                    .isEqualTo("applications | 0");
            assertThat(Answer.of(outside, asked, false).lines()).last().isEqualTo("NULL | 0");
        }
    }
}
