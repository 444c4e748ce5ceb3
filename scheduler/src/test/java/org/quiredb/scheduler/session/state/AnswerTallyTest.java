package org.quiredb.scheduler.session.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.mysql.ResultSetEncoder;
import org.quiredb.common.sql.SqlValue;

final class AnswerTallyTest {
    @ParameterizedTest
    @CsvSource({"1, 0", "1, 3", "300, 1", "3, 5000"})
    void rowsAreCountedHoweverManyColumnsTheyHave(int columns, int rows) {
        AnswerTally tally = new AnswerTally(Output.NOWHERE);
        ResultSetEncoder encoder =
                new ResultSetEncoder(packets -> tally.relay(packets, () -> {}), false, 0);
        encoder.columns(
                Collections.nCopies(
                        columns, ColumnMetadata.expression("c", 63, 20, MySqlType.LONGLONG, 0, 0)));
        SqlValue[] row = Collections.nCopies(columns, SqlValue.of(7)).toArray(SqlValue[]::new);
        for (int i = 0; i < rows; i++) {
            encoder.row(row);
        }
        long _ = encoder.finish();
        assertThat(tally.hasRows()).isTrue();
        assertThat(tally.rows()).isEqualTo(rows);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT id FROM t LIMIT 5, 10|5",
                "SELECT id FROM t LIMIT 10 OFFSET 7|7",
                "SELECT id FROM t LIMIT 10|0",
                "SELECT id FROM t|0"
            })
    void whatAnOffsetLeavesOutIsKnown(String sql, long skipped) {
        assertThat(ClientStatement.of(sql, List.of(), false, false).skipped()).isEqualTo(skipped);
    }
}
