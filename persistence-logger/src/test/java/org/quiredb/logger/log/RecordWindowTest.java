package org.quiredb.logger.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.Effects;

class RecordWindowTest {
    private final RecordWindow window = new RecordWindow();

    @Test
    void aSpanIsReadFromItsBeginningOrNotAtAll() {
        window.add(records(5, 9));
        assertThat(window.read(6, 8)).isEqualTo(records(6, 8));
        assertThat(window.read(8, 20)).isEqualTo(records(8, 9));
        assertThat(window.read(4, 8)).isEmpty();
        assertThat(window.read(10, 12)).isEmpty();
    }

    @Test
    void aGapForgetsWhatWasBefore() {
        window.add(records(5, 9));
        window.add(records(11, 12));
        assertThat(window.read(9, 12)).isEmpty();
        assertThat(window.read(11, 12)).isEqualTo(records(11, 12));
    }

    @Test
    void itIsEmptyUntilSomethingIsLogged() {
        assertThat(window.isEmpty()).isTrue();
        window.add(records(5, 5));
        assertThat(window.isEmpty()).isFalse();
    }

    @Test
    void theOldestAreForgottenAtTheBound() {
        window.add(records(1, 5000));
        assertThat(window.read(1, 2)).isEmpty();
        assertThat(window.read(5000, 5000)).hasSize(1);
    }

    private static List<CommitRecord> records(long from, long to) {
        return LongStream.rangeClosed(from, to)
                .mapToObj(n -> new CommitRecord(n, n, Effects.NONE))
                .toList();
    }
}
