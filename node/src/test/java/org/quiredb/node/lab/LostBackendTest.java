package org.quiredb.node.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.node.Await.await;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.status.BackendStatus;
import org.quiredb.node.verify.Verification;

/// One of two MariaDBs is killed under load, then the other.
@Tag("slow")
final class LostBackendTest {
    private static final int ENTRIES = 200;

    @TempDir private Path data;

    @Test
    @Timeout(180)
    void eitherOfTwoBackendsDiesAndReturnsAndNoClientIsTold() throws Exception {
        LabTier.Layout layout = LabTier.Layout.against(Victim.BACKEND, 1, 0);
        try (LabTier tier =
                new LabTier(
                        folders(),
                        FreePorts.next(),
                        layout,
                        LostBackendTest::fill,
                        config -> LocalCluster.inside(config, 0))) {
            holdTheSame(tier, underLoad(tier));
        }
    }

    private Path folders() {
        FreshBackend.prepare(data.resolve("backend-2"));
        return FreshBackend.prepare(data);
    }

    private static Ledger underLoad(LabTier tier) {
        Ledger ledger = Ledger.open(tier.url("ledger"), "quire", "quire");
        try (ledger;
                BackendReader reader = new BackendReader(tier.url("ledger"), ledger)) {
            progress("before", ledger, reader);
            for (String victim : List.of("backend", "backend-2")) {
                dieAndReturn(tier, victim, ledger, reader);
            }
        }
        return ledger;
    }

    private static void dieAndReturn(
            LabTier tier, String victim, Ledger ledger, BackendReader reader) {
        assertThat(tier.hasStandIn(victim)).isTrue();
        tier.strike(victim, Fault.KILL);
        progress("over the death of " + victim, ledger, reader);
        assertThat(tier.cluster().backends())
                .extracting(BackendStatus::current)
                .containsExactly(!victim.equals("backend"), victim.equals("backend"));
        assertThat(tier.cluster().verify().backends()).isEqualTo(1);
        long beganNanos = System.nanoTime();
        tier.bringBack(victim, Fault.KILL); // returns when it is current
        System.out.printf(
                "%s is current again after %d ms%n",
                victim, (System.nanoTime() - beganNanos) / 1_000_000);
        progress("after its return", ledger, reader);
    }

    private static void holdTheSame(LabTier tier, Ledger ledger) throws SQLException {
        Verification verification = tier.cluster().verify();
        assertThat(verification.differences()).isEmpty();
        assertThat(verification.backends()).isEqualTo(2);
        for (Connection direct : tier.direct()) {
            try (direct) {
                assertThat(ledger.lost(direct)).isZero();
            }
        }
        assertThat(ledger.anomalies()).isEmpty();
    }

    private static void progress(String when, Ledger ledger, BackendReader reader) {
        int from = ledger.acknowledged();
        int read = reader.reads();
        await(
                when,
                () ->
                        (ledger.acknowledged() >= from + ENTRIES && reader.reads() > read + 10)
                                || !reader.failure().isEmpty());
        System.out.println(
                when
                        + ": "
                        + ledger.report()
                        + ", longest read in a backend "
                        + reader.longestMillis()
                        + " ms");
        assertThat(reader.failure()).as(when).isEmpty();
        assertThat(ledger.incidents().failed()).as(when).isEmpty();
        assertThat(ledger.incidents().connectionsLost()).as(when).isZero();
        ledger.nextPeriod();
    }

    private static void fill(EmbeddedBackend backend) throws SQLException {
        try (Connection direct = DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire")) {
            Ledger.create(direct);
        }
    }
}
