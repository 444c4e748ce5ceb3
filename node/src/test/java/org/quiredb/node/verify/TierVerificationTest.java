package org.quiredb.node.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.quiredb.common.error.QuireException;
import org.quiredb.node.verify.Verification.Difference;

/// How often a tier is looked at, and what is told of it.
final class TierVerificationTest {
    private static final Look SAME = found(List.of(), List.of());
    private static final Look DIFFERENT = found(List.of(difference(0)), List.of());
    private static final Look CHANGED = found(List.of(), List.of("shop.t"));
    private static final Look DIFFERENT_AND_CHANGED =
            found(List.of(difference(0)), List.of("shop.t"));
    private static final Look REPAIRED_AND_CHANGED =
            found(List.of(difference(1)), List.of("shop.t"));
    private static final Look UPSET = new Look(null);

    /// @param found null where a node ended
    private record Look(@Nullable TierVerification found) {
        TierVerification get() {
            if (found == null) {
                throw Incomparable.because("a node has ended");
            }
            return found;
        }
    }

    private static Look found(List<Difference> differences, List<String> changed) {
        return new Look(
                new TierVerification(
                        new Verification(2, 1, List.of(), differences, changed), List.of()));
    }

    private static Difference difference(long repaired) {
        return new Difference("shop.item", "backend-0", 1, 2, 1, List.of("7"), repaired);
    }

    /// Each of the looks is taken, and no other.
    private static TierVerification looked(boolean repair, Look... looks) {
        Deque<Look> left = new ArrayDeque<>(List.of(looks));
        TierVerification told = TierVerification.looked(() -> left.remove().get(), repair);
        assertThat(left).isEmpty();
        return told;
    }

    private static void assertTold(Look told, Look... looks) {
        assertThat(looked(false, looks)).isSameAs(told.get());
    }

    @Test
    void whatIsTheSameIsLookedAtOnce() {
        assertTold(SAME, SAME);
        assertTold(SAME, UPSET, UPSET, SAME);
        assertTold(SAME, CHANGED, CHANGED, SAME);
    }

    @Test
    void aDifferenceIsLookedAtTwiceWheneverItIsSeen() {
        assertTold(DIFFERENT, DIFFERENT, DIFFERENT);
        assertTold(SAME, DIFFERENT, SAME);
        assertTold(SAME, UPSET, DIFFERENT, SAME);
        assertTold(SAME, CHANGED, CHANGED, DIFFERENT, SAME);
        assertTold(DIFFERENT, UPSET, UPSET, DIFFERENT, DIFFERENT);
    }

    @Test
    void aDifferenceThatNobodyCanLookAtAgainIsTold() {
        assertTold(DIFFERENT, DIFFERENT, UPSET, UPSET);
        assertTold(DIFFERENT, UPSET, UPSET, DIFFERENT, UPSET);
    }

    @Test
    void whereTheSchemaChangesAllTheTimeTheRestIsTold() {
        assertTold(CHANGED, CHANGED, UPSET, CHANGED);
        assertTold(
                DIFFERENT_AND_CHANGED,
                DIFFERENT_AND_CHANGED,
                DIFFERENT_AND_CHANGED,
                DIFFERENT_AND_CHANGED);
    }

    @Test
    void whatCannotBeComparedIsAnError() {
        assertThatThrownBy(() -> looked(false, UPSET, UPSET, UPSET))
                .isInstanceOf(QuireException.class)
                .hasMessageContaining("a node has ended");
    }

    @Test
    void whatIsPutRightIsToldAtOnce() {
        assertThat(looked(true, REPAIRED_AND_CHANGED)).isSameAs(REPAIRED_AND_CHANGED.get());
        assertThat(looked(true, DIFFERENT)).isSameAs(DIFFERENT.get());
    }
}
