package org.quiredb.replica.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;

class SupportsTest {
    private static final Topology LEADER = Topology.vacant(1).begunBy(member("leader", false));

    @Test
    void whoeverHasLeastToDoIsAskedFirst() {
        Topology tier =
                LEADER.changed(
                                Set.of(),
                                List.of(
                                        member("master", false),
                                        member("slave", false),
                                        member("spare", true)))
                        .handed(List.of(new ConflictClass("shop")), "master");
        assertThat(Supports.of(tier, "joiner"))
                .extracting(Member::name)
                .containsExactly("spare", "slave", "master", "leader");
    }

    @Test
    void theLeaderIsAskedWhereItIsAlone() {
        assertThat(Supports.of(LEADER, "joiner"))
                .extracting(Member::name)
                .containsExactly("leader");
    }

    @Test
    void aReplicaDoesNotAskItsFormerSelf() {
        Topology tier = LEADER.changed(Set.of(), List.of(member("slave", false)));
        assertThat(Supports.of(tier, "slave")).extracting(Member::name).containsExactly("leader");
    }

    private static Member member(String name, boolean spare) {
        return new Member(name, "127.0.0.1", 1, spare);
    }
}
