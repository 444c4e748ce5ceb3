package org.quiredb.simulation.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.simulation.history.Histories.append;
import static org.quiredb.simulation.history.Histories.group;
import static org.quiredb.simulation.history.Histories.join;
import static org.quiredb.simulation.history.Histories.leave;
import static org.quiredb.simulation.history.Histories.list;
import static org.quiredb.simulation.history.Histories.register;
import static org.quiredb.simulation.history.Histories.replace;

import org.junit.jupiter.api.Test;
import org.quiredb.simulation.history.Anomaly.Kind;
import org.quiredb.simulation.history.Transaction.Outcome;

/// The same for registers, which show their last value only, and for groups, which predicates read.
final class RegistersAndGroupsTest {
    private static final int X = 1;
    private static final int G = 5;
    private static final int H = 6;

    private final Histories history = new Histories();

    @Test
    void findsARegisterThatIsOverwrittenUnseen() {
        history.run(1, 0, 10, register(X, 0), replace(X, 1));
        finds();
        history.run(2, 0, 10, register(X, 0), replace(X, 2));
        assertThat(history.kinds()).contains(Kind.LOST_UPDATE);
    }

    @Test
    void findsAStaleRegister() {
        history.run(1, 0, 10, register(X, 0), replace(X, 1));
        history.run(1, 20, 30, register(X, 1), replace(X, 2));
        history.run(2, 15, 50, register(X, 1));
        finds();
        history.run(3, 40, 50, register(X, 1));
        finds(Kind.STALE_READ);
    }

    @Test
    void findsAHalfWrittenRegister() {
        history.run(1, 0, 10, register(X, 0), replace(X, 1), register(X, 1), replace(X, 2));
        history.run(2, 0, 10, register(X, 2));
        finds();
        history.run(3, 0, 10, register(X, 1));
        assertThat(history.kinds()).contains(Kind.INTERMEDIATE_READ);
    }

    @Test
    void findsARegisterThatWasRolledBack() {
        history.add(1, 0, 10, Outcome.ABORTED, register(X, 0), replace(X, 1));
        history.run(2, 0, 10, register(X, 0));
        finds();
        history.run(3, 0, 10, register(X, 1));
        finds(Kind.ABORTED_READ);
    }

    @Test
    void findsARegisterThatChangesInsideATransaction() {
        history.run(1, 0, 10, register(X, 0), replace(X, 1));
        history.run(2, 0, 10, register(X, 0), register(X, 1));
        assertThat(history.kinds()).contains(Kind.INTERNAL);
    }

    @Test
    void findsSkewBetweenARegisterAndAList() {
        history.run(1, 0, 10, register(X, 0), replace(X, 1), append(2, 1));
        history.run(2, 0, 10, register(X, 1), list(2, 1));
        finds();
        history.run(3, 0, 10, register(X, 0), list(2, 1));
        finds(Kind.READ_SKEW);
    }

    @Test
    void findsAPhantom() {
        history.run(1, 0, 10, join(G, 1), append(X, 1));
        history.run(2, 0, 10, group(G, 1), list(X, 1));
        finds();
        history.run(3, 0, 10, group(G), list(X, 1));
        finds(Kind.PHANTOM);
    }

    @Test
    void findsWriteSkewOfPredicates() {
        history.run(1, 0, 10, group(G), join(H, 1));
        history.run(2, 0, 10, join(G, 2));
        finds();
        Histories both = new Histories();
        both.run(1, 0, 10, group(G), join(H, 1));
        both.run(2, 0, 10, group(H), join(G, 2));
        assertThat(both.kinds()).containsExactly(Kind.PHANTOM);
    }

    @Test
    void findsAPhantomInsideATransaction() {
        history.run(1, 0, 10, join(G, 1));
        history.run(2, 0, 10, group(G), group(G, 1));
        assertThat(history.kinds()).contains(Kind.INTERNAL);
    }

    @Test
    void findsAnOwnMemberThatIsNotThere() {
        history.run(1, 0, 10, join(G, 1), group(G, 1), leave(G, 1), group(G));
        finds();
        history.run(2, 0, 10, join(G, 2), group(G));
        assertThat(history.kinds()).contains(Kind.INTERNAL);
    }

    @Test
    void findsARemovedMemberThatIsStillThere() {
        history.run(1, 0, 10, join(G, 1));
        history.run(2, 20, 30, leave(G, 1));
        history.run(3, 25, 35, group(G, 1));
        history.run(3, 40, 50, group(G));
        finds();
        history.run(4, 40, 50, group(G, 1));
        finds(Kind.STALE_READ);
    }

    @Test
    void findsAMemberThatIsRemovedTwice() {
        history.run(1, 0, 10, join(G, 1));
        history.run(2, 20, 30, leave(G, 1));
        finds();
        history.run(3, 20, 30, leave(G, 1));
        assertThat(history.kinds()).contains(Kind.LOST_UPDATE);
    }

    @Test
    void findsReadSkewOverARemoval() {
        history.run(1, 0, 10, join(G, 1));
        history.run(2, 20, 30, leave(G, 1), append(X, 1));
        history.run(3, 20, 30, group(G), list(X, 1));
        finds();
        history.run(4, 20, 30, group(G, 1), list(X, 1));
        finds(Kind.READ_SKEW);
    }

    @Test
    void knowsThatWhatIsGoneHadBeenThere() {
        history.run(1, 0, 10, join(G, 1));
        history.run(2, 20, 60, leave(G, 1), append(X, 1));
        history.run(3, 20, 60, group(G), list(X)); // after the removal, and so after the append
        finds(Kind.READ_SKEW);
    }

    @Test
    void assumesNothingWhereARemovalMayHaveHappenedOrNot() {
        history.run(1, 0, 50, join(G, 1));
        history.run(2, 0, 50, leave(G, 1), append(X, 1));
        history.run(3, 0, 50, group(G), list(X));
        history.run(4, 0, 50, group(G), list(X, 1));
        finds();
    }

    @Test
    void assumesNothingOfARemovalOfUnknownOutcome() {
        history.run(1, 0, 10, join(G, 1));
        history.add(2, 20, 30, Outcome.UNKNOWN, leave(G, 1));
        history.run(3, 40, 50, group(G, 1));
        history.run(4, 60, 70, group(G));
        finds();
    }

    @Test
    void findsAMemberThatWasNeverAddedOrWasRolledBack() {
        history.add(1, 0, 10, Outcome.ABORTED, join(G, 1));
        history.run(2, 0, 10, group(G));
        finds();
        history.run(3, 0, 10, group(G, 1));
        history.run(4, 0, 10, group(G, 9));
        history.run(5, 0, 10, group(H, 1, 1));
        assertThat(history.kinds())
                .containsExactlyInAnyOrder(
                        Kind.ABORTED_READ,
                        Kind.INVENTED_VALUE,
                        Kind.INVENTED_VALUE,
                        Kind.DUPLICATE_VALUE);
    }

    @Test
    void findsAMemberThatItsOwnTransactionRemovedAgain() {
        history.run(1, 0, 10, join(G, 1), leave(G, 1));
        history.run(2, 0, 10, group(G));
        finds();
        history.run(3, 0, 10, group(G, 1));
        assertThat(history.kinds()).contains(Kind.INTERMEDIATE_READ);
    }

    private void finds(Kind... kinds) {
        assertThat(history.kinds()).containsExactly(kinds);
    }
}
