package org.quiredb.node.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;

final class TierStatusTest {
    private static final ClusterNode MASTER =
            new ClusterNode("10.0.0.1:3320", true, status("master", "master", 120));
    private static final ClusterNode SLAVE =
            new ClusterNode("10.0.0.2:3320", true, status("slave-1", "slave", 118));

    @Test
    void aNodeThatDoesNotAnswerIsUnreachableWithWhatItToldLast() {
        TierStatus tier =
                TierStatus.of(
                        List.of(MASTER, new ClusterNode("10.0.0.2:3320", false, SLAVE.status())));

        assertThat(tier.state()).isEqualTo("degraded");
        assertThat(printed(tier))
                .contains("tier: degraded")
                .contains("slave-1  slave   unreachable");
    }

    @Test
    void aNodeThatHasNeverAnsweredShowsItsAddressOnly() {
        TierStatus tier =
                TierStatus.of(List.of(MASTER, new ClusterNode("10.0.0.3:1", false, null)));

        assertThat(printed(tier)).containsPattern("- +unknown +unreachable +- +10\\.0\\.0\\.3:1");
        assertThat(tier.asJson().toString()).contains("name=10.0.0.3:1");
    }

    @Test
    void withoutAMasterTheTierIsDown() {
        assertThat(TierStatus.of(List.of(SLAVE)).state()).isEqualTo("down");
    }

    @Test
    void lagIsCountedFromTheMastersStableCommit() {
        TierStatus tier = TierStatus.of(List.of(MASTER, SLAVE));

        assertThat(tier.state()).isEqualTo("serving");
        assertThat(tier.stable()).isEqualTo(Map.of("shop", 120L));
        assertThat(printed(tier)).containsPattern("shop +slave-1 +received +118 +2");
    }

    @Test
    void whatDoesNotWorkIsSaidInWords() {
        ClusterNode limited =
                new ClusterNode(
                        "10.0.0.2:3320",
                        true,
                        status(
                                "slave-1",
                                "slave",
                                "serving",
                                118,
                                new NodeStatus.Figure(NodeStatus.LIMITED_TABLE + "shop.odd", 2),
                                new NodeStatus.Figure(NodeStatus.LIMITED_TABLE + "shop.half", 1)));
        ClusterNode waiting =
                new ClusterNode(
                        "10.0.0.4:3309",
                        true,
                        status(
                                "scheduler",
                                "scheduler",
                                "waiting",
                                0,
                                new NodeStatus.Figure(NodeStatus.TAG_UNREACHED, 12.3)));

        assertThat(TierStatus.of(List.of(MASTER, limited)).state()).isEqualTo("serving");
        TierStatus tier = TierStatus.of(List.of(MASTER, limited, waiting));
        assertThat(tier.state()).isEqualTo("degraded");
        assertThat(printed(tier))
                .contains("shop.odd is served by the backend alone")
                .contains("shop.half is read, but not changed, by the tier")
                .contains("no replica has had what the tags of scheduler name for 12 s");
        assertThat(printed(TierStatus.of(List.of(MASTER, SLAVE)))).doesNotContain("no replica");
    }

    private static NodeStatus status(String name, String role, long position) {
        return status(name, role, "serving", position);
    }

    private static NodeStatus status(
            String name, String role, String state, long position, NodeStatus.Figure... figures) {
        return new NodeStatus(
                name,
                role,
                state,
                4711,
                3320,
                1,
                role.equals("master")
                        ? List.of(
                                new NodeStatus.Mastered(ConflictClass.NONE, 1),
                                new NodeStatus.Mastered(new ConflictClass("shop"), 1))
                        : List.of(),
                List.of(new ClassPosition(new ConflictClass("shop"), position)),
                VersionVector.EMPTY,
                1,
                List.of(figures));
    }

    private static String printed(TierStatus tier) {
        StringWriter text = new StringWriter();
        tier.print(new PrintWriter(text, true));
        return text.toString();
    }
}
