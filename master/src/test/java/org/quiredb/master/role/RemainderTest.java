package org.quiredb.master.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.master.role.OwnClass.SHOP;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.quiredb.common.message.LoggerReply.TopologyReply;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.master.role.Remainder.Part;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.intake.RecentWriteSets;

/// What is appended and kept is seen to by the simulation.
final class RemainderTest {
    private static final ConflictClass OF_ANOTHER = new ConflictClass("other");

    private final OwnClass master = new OwnClass();
    private final Progress progress = new Progress(ClassPatterns.NONE);
    private final Remainder remainder =
            new Remainder("self", progress, new RecentWriteSets(), master);

    @BeforeEach
    void holdsTwoClasses() {
        progress.beginAt(
                List.of(new ClassPosition(SHOP, 5), new ClassPosition(OF_ANOTHER, 7)), 1, 1);
    }

    @Test
    void nothingRemainsWhenTheLogHasEverything() {
        assertThat(remainder.of(reply("self", 7))).isEmpty();
    }

    @Test
    void itsOwnClassRemainsUntilItsCommitsAreLogged() {
        master.allLogged = false;
        assertThat(remainder.of(reply("self", 7))).containsExactly(new Part.BeingLogged(SHOP));
    }

    @Test
    void whatTheLogLacksAndIsNotKeptRemains() {
        assertThat(remainder.of(reply("self", 6))).containsExactly(new Part.NotKept(OF_ANOTHER, 6));
    }

    @Test
    void nothingRemainsOfOneThatTheTierHasGoneOnWithout() {
        master.allLogged = false;
        assertThat(remainder.of(reply("another", 0))).isEmpty();
    }

    private static TopologyReply reply(String leader, long logEnd) {
        return new TopologyReply(
                Topology.vacant(0).begunBy(new Member(leader, leader, 1, false)),
                List.of(new ClassPosition(OF_ANOTHER, logEnd)),
                0);
    }
}
