package org.quiredb.node.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.node.console.FakeSource.replica;
import static org.quiredb.node.console.FakeSource.scheduler;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.node.status.TierStatus;
import org.quiredb.scheduler.statement.StatementKind;

final class ChangesTest {
    private static final ClusterNode MASTER = replica("master", "master", "serving", 3, true, 100);
    private static final ClusterNode SLAVE = replica("slave-1", "slave", "serving", 3, true, 100);
    private static final ClusterNode DEAD = replica("master", "master", "serving", 3, false, 100);
    private static final ClusterNode HEIR = replica("slave-1", "master", "serving", 4, true, 100);

    private final ConsoleEvents changes = new ConsoleEvents();

    @Test
    void theFirstLookTellsOnlyThatItIsTheFirst() {
        assertThat(take(0, MASTER, SLAVE)).singleElement().asString().contains("began to watch");
        assertThat(take(1_000, MASTER, SLAVE)).isEmpty();
    }

    @Test
    void aMastersDeathAndWhoTakesOverAreToldInWords() {
        take(0, MASTER, SLAVE);

        assertThat(take(1_000, DEAD, SLAVE))
                .containsExactly("BAD master does not answer any more; it was master.");
        assertThat(take(1_500, DEAD, HEIR))
                .containsExactly(
                        "GOOD slave-1 took over as master of shop from master after 0.5 s, in epoch 4.");
    }

    @Test
    void aReplicaThatReturnsJoinsAndServes() {
        take(0, DEAD, HEIR);

        assertThat(take(1, replica("master", "spare", "joining", 5, true, 0), HEIR))
                .containsExactly("GOOD master answers again, as spare, joining.");
        assertThat(take(2, replica("master", "spare", "serving", 5, true, 0), HEIR))
                .containsExactly("NEWS master serves, as spare.");
        assertThat(take(3, replica("master", "slave", "serving", 5, true, 0), HEIR))
                .containsExactly("NEWS master is a slave now; it was a spare.");
    }

    @Test
    void whoIsInSyncIsTold() {
        changes.take(look(0, Set.of("master", "slave-1"), MASTER, SLAVE));

        assertThat(changes.take(look(1, Set.of("master"), MASTER, SLAVE)))
                .singleElement()
                .asString()
                .contains("do not wait for slave-1");
        assertThat(changes.take(look(2, Set.of("master", "slave-1"), MASTER, SLAVE)))
                .singleElement()
                .asString()
                .contains("slave-1 is in sync");
    }

    @Test
    void ratesAreOfTheLastSecondAndACounterThatBeginsAnewDoesNotFallBelowZero() {
        Rates rates = new Rates();
        assertThat(rates.take(look(1_000, Set.of(), MASTER, SLAVE), Map.of())).isEmpty();

        Map<String, Double> later =
                rates.take(
                        look(
                                3_000,
                                Set.of(),
                                replica("master", "master", "serving", 3, true, 120),
                                replica("slave-1", "slave", "serving", 3, true, 4)),
                        Map.of(StatementKind.READ, new long[0]));

        assertThat(later)
                .containsEntry("commits", 10.0)
                .containsEntry("reads.master", 100.0)
                .containsEntry("reads.slave-1", 20.0)
                .containsEntry("reads", 120.0)
                .containsEntry("lag.slave-1", 116.0);
    }

    private List<String> take(long at, ClusterNode... nodes) {
        return changes.take(look(at, Set.of(), nodes)).stream()
                .map(change -> change.weight() + " " + change.text())
                .toList();
    }

    private static Look look(long at, Set<String> inSync, ClusterNode... nodes) {
        List<ClusterNode> all = new ArrayList<>(List.of(nodes));
        all.addFirst(scheduler());
        return new Look(at, TierStatus.of(all), inSync);
    }
}
