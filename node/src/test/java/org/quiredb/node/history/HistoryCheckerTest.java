package org.quiredb.node.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.node.history.Anomaly.Kind;
import org.quiredb.node.history.Transaction.Append;
import org.quiredb.node.history.Transaction.Operation;
import org.quiredb.node.history.Transaction.Outcome;
import org.quiredb.node.history.Transaction.Read;

/// The checker finds what it is for, in histories that contain it, and nothing in serial ones.
final class HistoryCheckerTest {
    private static final int X = 1;
    private static final int Y = 2;

    private final List<Transaction> history = new ArrayList<>();

    @Test
    void acceptsWhatIsSerial() {
        run(1, 0, 10, append(X, 1));
        run(2, 20, 30, read(X, 1), append(Y, 1));
        run(1, 40, 50, read(X, 1), read(Y, 1), append(X, 2), read(X, 1, 2));
        run(2, 45, 60, read(X, 1));
        finds();
    }

    @Test
    void findsAReadOfARolledBackValue() {
        add(1, 0, 10, Outcome.ABORTED, append(X, 1));
        run(2, 0, 10, read(X, 1));
        finds(Kind.ABORTED_READ);
    }

    @Test
    void findsAReadOfAnIntermediateValue() {
        run(1, 0, 10, append(X, 1), append(X, 2));
        run(2, 0, 10, read(X, 1));
        run(3, 0, 20, read(X, 1, 2));
        assertThat(kinds()).contains(Kind.INTERMEDIATE_READ);
    }

    @Test
    void findsAReadThatForgetsItsOwnWrite() {
        run(1, 0, 10, append(X, 1), read(X));
        assertThat(kinds()).contains(Kind.INTERNAL);
    }

    @Test
    void findsAReadThatIsNotRepeatable() {
        run(1, 0, 10, read(X), read(X, 1));
        run(2, 0, 10, append(X, 1));
        assertThat(kinds()).contains(Kind.INTERNAL);
    }

    @Test
    void findsAValueThatNobodyWrote() {
        run(1, 0, 10, read(X, 7));
        finds(Kind.INVENTED_VALUE);
    }

    @Test
    void findsOrdersThatDisagree() {
        run(1, 0, 10, append(X, 1));
        run(2, 0, 10, append(X, 2));
        run(3, 0, 20, read(X, 1));
        run(4, 0, 20, read(X, 2));
        assertThat(kinds()).contains(Kind.INCOMPATIBLE_ORDER);
    }

    @Test
    void findsACycleOfWrites() {
        run(1, 0, 10, append(X, 1), append(Y, 1));
        run(2, 0, 10, append(X, 2), append(Y, 2));
        run(3, 0, 20, read(X, 1, 2));
        run(4, 0, 20, read(Y, 2, 1));
        finds(Kind.WRITE_CYCLE);
    }

    @Test
    void findsInformationThatFlowsInACircle() {
        run(1, 0, 10, append(X, 1), read(Y, 1));
        run(2, 0, 10, append(Y, 1), read(X, 1));
        finds(Kind.CIRCULAR_INFORMATION_FLOW);
    }

    @Test
    void findsALostUpdate() {
        run(1, 0, 10, read(X), append(X, 1));
        run(2, 0, 10, read(X), append(X, 2));
        run(3, 0, 20, read(X, 1, 2));
        finds(Kind.LOST_UPDATE);
    }

    @Test
    void findsReadSkew() {
        run(1, 0, 10, append(X, 1), append(Y, 1));
        run(2, 0, 10, read(X), read(Y, 1));
        run(3, 0, 20, read(X, 1));
        finds(Kind.READ_SKEW);
    }

    @Test
    void findsWriteSkew() {
        run(1, 0, 10, read(X), append(Y, 1));
        run(2, 0, 10, read(Y), append(X, 1));
        run(3, 0, 20, read(X, 1), read(Y, 1));
        finds(Kind.WRITE_SKEW);
    }

    @Test
    void findsAReadThatMissesWhatWasAcknowledged() {
        run(1, 0, 10, append(X, 1));
        run(2, 20, 30, read(X));
        run(3, 0, 60, read(X, 1));
        finds(Kind.STALE_READ);
    }

    @Test
    void findsAnAcknowledgedWriteThatIsNeverSeen() {
        run(1, 0, 10, append(X, 1));
        run(2, 20, 30, read(X));
        finds(Kind.STALE_READ);
    }

    @Test
    void findsAReadThatGoesBackInTime() {
        run(1, 0, 60, append(X, 1));
        run(2, 0, 10, read(X, 1));
        run(2, 20, 30, read(X));
        finds(Kind.NON_MONOTONIC_READ);
    }

    @Test
    void countsATransactionOfUnknownOutcomeOnlyWhenItWasSeen() {
        add(1, 0, Long.MAX_VALUE, Outcome.UNKNOWN, append(X, 1));
        add(2, 0, Long.MAX_VALUE, Outcome.UNKNOWN, append(Y, 1));
        run(3, 20, 30, read(X), read(Y));
        run(4, 40, 50, read(X, 1), read(Y));
        finds();
        run(5, 60, 70, read(X));
        finds(Kind.STALE_READ);
    }

    @Test
    void findsARegisterThatIsOverwrittenUnseen() {
        run(1, 0, 10, read(X), append(X, 1));
        run(2, 0, 10, read(X), append(X, 2));
        assertThat(Registers.check(history)).extracting(Anomaly::kind).contains(Kind.LOST_UPDATE);
    }

    @Test
    void findsAStaleRegister() {
        run(1, 0, 10, read(X), append(X, 1));
        run(1, 20, 30, read(X, 1), append(X, 2));
        run(2, 40, 50, read(X, 1));
        assertThat(Registers.check(history))
                .extracting(Anomaly::kind)
                .containsExactly(Kind.STALE_READ);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void acceptsOverlappingTransactionsThatTookEffectAtOnePointAndNotOneTurnedBack(long seed) {
        serial(new Random(seed), 400);
        finds();
        int key = history.getFirst().operations().getFirst().key();
        run(99, 1_000_000, 1_000_001, read(key));
        finds(Kind.STALE_READ);
    }

    /// Transactions that each take effect at one moment between their start and end.
    private void serial(Random random, int transactions) {
        Map<Integer, List<Integer>> lists = new HashMap<>();
        int value = 0;
        for (int moment = 1; moment <= transactions; moment++) {
            List<Operation> operations = new ArrayList<>();
            for (int i = random.nextInt(1, 5); i > 0; i--) {
                int key = random.nextInt(5);
                List<Integer> list = lists.computeIfAbsent(key, k -> new ArrayList<>());
                if (random.nextBoolean()) {
                    list.add(++value);
                    operations.add(new Append(key, value));
                } else {
                    operations.add(new Read(key, list));
                }
            }
            long at = moment * 100L;
            add(
                    moment % 8,
                    at - random.nextInt(1, 400),
                    at + random.nextInt(1, 400),
                    Outcome.COMMITTED,
                    operations.toArray(Operation[]::new));
        }
    }

    private void run(int process, long start, long end, Operation... operations) {
        add(process, start, end, Outcome.COMMITTED, operations);
    }

    private void add(int process, long start, long end, Outcome outcome, Operation... operations) {
        history.add(
                new Transaction(
                        history.size(), process, start, end, outcome, Arrays.asList(operations)));
    }

    private void finds(Kind... kinds) {
        assertThat(kinds()).containsExactly(kinds);
    }

    private List<Kind> kinds() {
        return HistoryChecker.check(history).stream().map(Anomaly::kind).toList();
    }

    private static Operation append(int key, int value) {
        return new Append(key, value);
    }

    private static Operation read(int key, Integer... values) {
        return new Read(key, Arrays.asList(values));
    }
}
