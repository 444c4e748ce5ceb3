package org.quiredb.replica.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.intake.Progress;

/// Which reads a replica answers, by what it knows and holds.
final class ReadFenceTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final int TABLE = 1;
    private static final Topology BEGUN = Topology.vacant(0).begunBy(member("leader"));
    private static final Topology JOINED = BEGUN.changed(Set.of(), List.of(member("self")));
    private static final Topology TAKEN_OVER =
            JOINED.takenOver(Set.of("leader"), "self", Set.of("self"));

    private final Progress progress = new Progress(ClassPatterns.NONE);

    @BeforeEach
    void serves() {
        progress.changed(
                new SchemaChange.CreateTable(
                        TABLE,
                        SHOP,
                        new TableDefinition(
                                "shop", "t", List.of(), List.of(), List.of(), List.of(), 0)));
        progress.beginAt(List.of(new ClassPosition(SHOP, 5)), 1, TABLE + 1);
        progress.enter(JOINED);
        progress.enter(Progress.State.SERVING);
    }

    @Test
    void whatIsHereIsAnswered() {
        assertThat(fence(JOINED.epoch(), 5)).isEqualTo(ReadFence.ANSWER);
        assertThat(fence(BEGUN.epoch(), 5)).isEqualTo(ReadFence.ANSWER);
    }

    @Test
    void whatIsYetToComeIsWaitedFor() {
        assertThat(fence(JOINED.epoch(), 6)).isEqualTo(ReadFence.AWAITS_WRITE_SETS);
        progress.beginAt(List.of(new ClassPosition(SHOP, 6)), 1, TABLE + 1);
        assertThat(fence(JOINED.epoch(), 6)).isEqualTo(ReadFence.ANSWER);
    }

    /// Of the number that the tag names there may be another commit here.
    @Test
    void theTopologyOfTheReadIsWaitedForThoughTheTagIsHere() {
        assertThat(fence(TAKEN_OVER.epoch(), 5)).isEqualTo(ReadFence.AWAITS_TOPOLOGY);
        progress.enter(TAKEN_OVER);
        assertThat(fence(TAKEN_OVER.epoch(), 5)).isEqualTo(ReadFence.ANSWER);
    }

    @Test
    void aReadOfTheTimeBeforeTheLeaderIsRefused() {
        progress.enter(TAKEN_OVER);
        assertThat(fence(JOINED.epoch(), 5)).isEqualTo(ReadFence.REFUSE);
    }

    @Test
    void whoIsNoMemberAnswersNothingThoughItWaitedAlready() {
        assertThat(fence(JOINED.epoch(), 6)).isEqualTo(ReadFence.AWAITS_WRITE_SETS);
        progress.enter(JOINED.changed(Set.of("self"), List.of()));
        progress.beginAt(List.of(new ClassPosition(SHOP, 6)), 1, TABLE + 1);
        assertThat(fence(JOINED.epoch(), 6)).isEqualTo(ReadFence.REFUSE);
    }

    @Test
    void whoHasEndedDoesNotWait() {
        assertThat(fence(JOINED.epoch(), 6).waits()).isTrue();
        progress.stop("its stream has a gap");
        assertThat(fence(JOINED.epoch(), 6)).isEqualTo(ReadFence.NOT_SERVING);
        assertThat(fence(JOINED.epoch(), 5)).isEqualTo(ReadFence.NOT_SERVING);
    }

    @Test
    void theReasonOfARefusalIsWhatWasWaitedFor() {
        assertThat(ReadFence.AWAITS_TOPOLOGY.reason()).isEqualTo(Reason.OTHER_EPOCH);
        assertThat(ReadFence.AWAITS_WRITE_SETS.reason()).isEqualTo(Reason.NOT_RECEIVED);
        assertThat(ReadFence.REFUSE.reason()).isEqualTo(Reason.OTHER_EPOCH);
        assertThat(ReadFence.NOT_SERVING.reason()).isEqualTo(Reason.NOT_SERVING);
    }

    /// What is known and received grows in any order: a read that need not wait never has to later,
    /// and one that is refused stays so.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void whoNeedNotWaitNeverHasTo(long seed) {
        Random random = new Random(seed);
        for (int walk = 0; walk < 200; walk++) {
            ReadFenceTest of = new ReadFenceTest();
            of.serves();
            of.walk(random);
        }
    }

    private void walk(Random random) {
        long epoch = BEGUN.epoch() + random.nextLong(4);
        long number = 4 + random.nextLong(4);
        ReadFence before = fence(epoch, number);
        Topology now = JOINED;
        for (int i = 0; i < 20; i++) {
            switch (random.nextInt(6)) {
                case 0 -> {
                    now = next(now, random.nextInt(3), "m" + i);
                    progress.enter(now);
                }
                case 1 -> progress.stop("over");
                default ->
                        progress.beginAt(
                                List.of(new ClassPosition(SHOP, progress.received(SHOP) + 1)),
                                1,
                                TABLE + 1);
            }
            ReadFence after = fence(epoch, number);
            if (!before.waits()) {
                assertThat(after.waits()).isFalse();
            }
            if (before == ReadFence.REFUSE || before == ReadFence.NOT_SERVING) {
                assertThat(after).isNotEqualTo(ReadFence.ANSWER);
            }
            if (after == ReadFence.ANSWER) {
                assertThat(progress.topology().contains("self")).isTrue();
                assertThat(progress.received(SHOP)).isGreaterThanOrEqualTo(number);
                assertThat(epoch)
                        .isBetween(
                                progress.topology().leader().term(), progress.topology().epoch());
            }
            before = after;
        }
    }

    private static Topology next(Topology now, int way, String joiner) {
        boolean moves = way > 0 && now.contains("self") && !now.leads("self");
        if (!moves) {
            return now.changed(Set.of(), List.of(member(joiner)));
        }
        return way == 1
                ? now.changed(Set.of("self"), List.of())
                : now.takenOver(Set.of(now.leader().master()), "self", Set.of("self"));
    }

    private ReadFence fence(long epoch, long number) {
        return ReadFence.of(epoch, VersionVector.EMPTY.with(TABLE, number), progress, "self");
    }

    private static Member member(String name) {
        return new Member(name, name, 1, false);
    }
}
