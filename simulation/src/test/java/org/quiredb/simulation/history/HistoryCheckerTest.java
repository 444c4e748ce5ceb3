package org.quiredb.simulation.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.simulation.history.Histories.append;
import static org.quiredb.simulation.history.Histories.list;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.simulation.history.Anomaly.Kind;
import org.quiredb.simulation.history.Transaction.Increment;
import org.quiredb.simulation.history.Transaction.Outcome;
import org.quiredb.simulation.history.Transaction.ReadCounter;

/// The checker finds what it is for in histories of lists that contain it, and nothing in others
/// that are close to them.
@Tag("slow")
final class HistoryCheckerTest {
    private static final int X = 1;
    private static final int Y = 2;

    private final Histories history = new Histories();

    @Test
    void acceptsWhatIsSerial() {
        history.run(1, 0, 10, append(X, 1));
        history.run(2, 20, 30, list(X, 1), append(Y, 1));
        history.run(1, 40, 50, list(X, 1), list(Y, 1), append(X, 2), list(X, 1, 2));
        history.run(2, 45, 60, list(X, 1));
        finds();
    }

    @Test
    void findsACounterThatMissesWhatWasAcknowledgedOrCountsWhatIsToCome() {
        history.run(1, 0, 10, new Increment(X), new ReadCounter(X, 1));
        history.add(2, 5, 8, Outcome.UNKNOWN, new Increment(X));
        history.add(3, 5, 8, Outcome.ABORTED, new Increment(X), new ReadCounter(X, 9));
        history.run(3, 20, 30, new ReadCounter(X, 1));
        history.run(3, 40, 50, new ReadCounter(X, 2), new Increment(X), new ReadCounter(X, 3));
        finds();
        history.run(1, 45, 60, new ReadCounter(X, 4));
        finds(Kind.FUTURE_READ);
        history.run(2, 70, 80, new ReadCounter(X, 1));
        assertThat(history.kinds()).contains(Kind.STALE_READ);
    }

    @Test
    void findsACounterThatFallsAgainBeforeItsIncrementIsAcknowledged() {
        history.run(1, 0, 100, new Increment(X));
        history.run(2, 10, 20, new ReadCounter(X, 1));
        finds();
        history.run(2, 30, 40, new ReadCounter(X, 0));
        finds(Kind.NON_MONOTONIC_READ);
    }

    @Test
    void findsAReadOfARolledBackValue() {
        history.add(1, 0, 10, Outcome.ABORTED, append(X, 1));
        history.run(2, 0, 10, list(X));
        finds();
        history.run(3, 0, 10, list(X, 1));
        finds(Kind.ABORTED_READ);
    }

    @Test
    void findsAReadOfAnIntermediateValue() {
        history.run(1, 0, 10, append(X, 1), list(X, 1), append(X, 2));
        history.run(3, 0, 20, list(X, 1, 2));
        finds();
        history.run(2, 0, 10, list(X, 1));
        assertThat(history.kinds()).contains(Kind.INTERMEDIATE_READ);
    }

    @Test
    void findsAReadThatForgetsItsOwnWrite() {
        history.run(1, 0, 10, append(X, 1), list(X));
        assertThat(history.kinds()).contains(Kind.INTERNAL);
    }

    @Test
    void findsAReadOfAnOwnWriteThatIsStillToCome() {
        history.run(1, 0, 10, list(X, 1), append(X, 1));
        assertThat(history.kinds()).contains(Kind.INTERNAL);
    }

    @Test
    void findsAReadThatIsNotRepeatable() {
        history.run(1, 0, 10, list(X), list(X, 1));
        history.run(2, 0, 10, append(X, 1));
        assertThat(history.kinds()).contains(Kind.INTERNAL);
    }

    @Test
    void findsAValueThatNobodyWrote() {
        history.run(1, 0, 10, list(X, 7));
        finds(Kind.INVENTED_VALUE);
    }

    @Test
    void findsAWriteThatTookEffectTwice() {
        history.run(1, 0, 10, append(X, 1));
        history.run(2, 20, 30, list(X, 1, 1));
        finds(Kind.DUPLICATE_VALUE);
    }

    @Test
    void findsOrdersThatDisagree() {
        history.run(1, 0, 10, append(X, 1));
        history.run(2, 0, 10, append(X, 2));
        history.run(3, 0, 20, list(X, 1));
        finds();
        history.run(4, 0, 20, list(X, 2));
        assertThat(history.kinds()).contains(Kind.INCOMPATIBLE_ORDER);
    }

    @Test
    void findsACycleOfWrites() {
        history.run(1, 0, 10, append(X, 1), append(Y, 1));
        history.run(2, 0, 10, append(X, 2), append(Y, 2));
        history.run(3, 0, 20, list(X, 1, 2));
        finds();
        history.run(4, 0, 20, list(Y, 2, 1));
        finds(Kind.WRITE_CYCLE);
    }

    @Test
    void findsInformationThatFlowsInACircle() {
        history.run(1, 0, 10, append(X, 1), list(Y, 1));
        history.run(2, 0, 10, append(Y, 1), list(X, 1));
        finds(Kind.CIRCULAR_INFORMATION_FLOW);
    }

    @Test
    void acceptsInformationThatFlowsOneWay() {
        history.run(1, 0, 10, append(X, 1), list(Y));
        history.run(2, 0, 10, append(Y, 1), list(X, 1));
        finds();
    }

    @Test
    void findsALostUpdate() {
        history.run(1, 0, 10, list(X), append(X, 1));
        history.run(2, 0, 10, list(X), append(X, 2));
        history.run(3, 0, 20, list(X, 1, 2));
        finds(Kind.LOST_UPDATE);
    }

    @Test
    void acceptsAnUpdateThatSawTheOther() {
        history.run(1, 0, 10, list(X), append(X, 1));
        history.run(2, 0, 10, list(X, 1), append(X, 2));
        history.run(3, 0, 20, list(X, 1, 2));
        finds();
    }

    @Test
    void findsReadSkew() {
        history.run(1, 0, 10, append(X, 1), append(Y, 1));
        history.run(3, 0, 20, list(X, 1));
        finds();
        history.run(2, 0, 10, list(X), list(Y, 1));
        finds(Kind.READ_SKEW);
    }

    @Test
    void findsWriteSkewButNotInOneHalfOfIt() {
        history.run(1, 0, 10, list(X), append(Y, 1));
        history.run(2, 0, 10, append(X, 1));
        history.run(3, 0, 20, list(X, 1), list(Y, 1));
        finds();
        Histories both = new Histories();
        both.run(1, 0, 10, list(X), append(Y, 1));
        both.run(2, 0, 10, list(Y), append(X, 1));
        both.run(3, 0, 20, list(X, 1), list(Y, 1));
        assertThat(both.kinds()).containsExactly(Kind.WRITE_SKEW);
    }

    @Test
    void findsTwoReadersThatSawTwoWritersInDifferentOrders() {
        history.run(1, 0, 50, append(X, 1));
        history.run(2, 0, 50, append(Y, 1));
        history.run(3, 0, 50, list(X, 1), list(Y));
        finds();
        history.run(4, 0, 50, list(X), list(Y, 1));
        finds(Kind.WRITE_SKEW);
    }

    @Test
    void findsAReadThatMissesWhatWasAcknowledged() {
        history.run(1, 0, 10, append(X, 1));
        history.run(3, 0, 60, list(X, 1));
        history.run(2, 5, 30, list(X));
        finds();
        history.run(4, 20, 30, list(X));
        finds(Kind.STALE_READ);
    }

    @Test
    void findsAnAcknowledgedWriteThatIsNeverSeen() {
        history.run(1, 0, 10, append(X, 1));
        finds();
        history.run(2, 20, 30, list(X));
        finds(Kind.STALE_READ);
    }

    @Test
    void findsAReadThatGoesBackInTime() {
        history.run(1, 0, 60, append(X, 1));
        history.run(2, 0, 10, list(X, 1));
        history.run(3, 5, 30, list(X));
        finds();
        history.run(2, 20, 30, list(X));
        finds(Kind.NON_MONOTONIC_READ);
    }

    @Test
    void findsAClientThatForgetsWhatItWrote() {
        history.run(1, 0, 60, append(X, 1));
        history.run(1, 70, 80, list(X));
        finds(Kind.NON_MONOTONIC_READ);
    }

    @Test
    void findsAReadOfWhatCameLater() {
        history.run(1, 0, 10, list(X, 1));
        history.run(2, 20, 30, append(X, 1));
        finds(Kind.FUTURE_READ);
    }

    @Test
    void countsATransactionOfUnknownOutcomeOnlyWhenItWasSeen() {
        history.add(1, 0, 10, Outcome.UNKNOWN, append(X, 1));
        history.add(2, 0, 10, Outcome.UNKNOWN, append(Y, 1));
        history.run(3, 20, 30, list(X), list(Y));
        history.run(1, 35, 36, list(X));
        history.run(4, 40, 50, list(X, 1), list(Y));
        finds();
        history.run(5, 60, 70, list(X));
        finds(Kind.STALE_READ);
    }

    @Test
    void countsWhatATransactionOfUnknownOutcomeReadOnceItWasSeen() {
        history.add(1, 0, 10, Outcome.UNKNOWN, list(Y, 1), append(X, 1));
        history.add(2, 0, 10, Outcome.UNKNOWN, append(Y, 1), list(X, 1));
        finds();
        history.run(3, 0, 50, list(X, 1));
        finds(Kind.CIRCULAR_INFORMATION_FLOW);
    }

    @Test
    void tellsACycleInWords() {
        history.run(1, 0, 10, append(X, 5));
        history.run(2, 20, 30, list(X));
        assertThat(history.check().getFirst())
                .asString()
                .contains("T0 had ended when T1 began")
                .contains("T1 did not see what T0 did then, with 5 of key 1");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void acceptsOverlappingTransactionsThatTookEffectAtOnePoint(long seed) {
        history.serial(new Random(seed), 2000, 3, 100);
        finds();
    }

    @Test
    @Timeout(60)
    void checksAHundredThousandTransactionsInSeconds() {
        history.serial(new Random(1), 100_000, 8, 200);
        history.run(9, 10_000_000 + 1000, 10_000_000 + 1001, list(0));
        finds(Kind.STALE_READ);
    }

    private void finds(Kind... kinds) {
        assertThat(history.kinds()).containsExactly(kinds);
    }
}
