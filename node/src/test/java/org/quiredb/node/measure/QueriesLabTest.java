package org.quiredb.node.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.lab.LabTier;

/// The experiment itself, on a small tier inside this JVM and the database beneath it.
@Tag("slow")
final class QueriesLabTest {
    @TempDir private Path data;

    @Test
    @Timeout(180)
    void comparesEachStatementAndLeavesTheTierAndItsDatabaseTheSame() throws Exception {
        int port = FreePorts.next();
        try (LabTier tier =
                new LabTier(
                        FreshBackend.prepare(data),
                        port,
                        new LabTier.Layout(1, 0, 1, new ClusterConfig.Copies(1, 1)),
                        SmallBookstore::fill,
                        config -> LocalCluster.inside(config, 0))) {
            MeasuredServer quire = new MeasuredServer(tier.url("tpcw"), "lab", "quire", "quire");
            MeasuredServer alone =
                    new MeasuredServer(
                            "jdbc:mysql://127.0.0.1:%d/tpcw".formatted(port),
                            "lab_alone",
                            "quire",
                            "quire");
            QueriesReport report =
                    new QueriesLab(
                                    quire,
                                    alone,
                                    new QueriesLab.Plan(List.of(1, 2), 20, 20, 1),
                                    System.out::println)
                            .run();
            assertThat(report.text())
                    .contains(
                            "bestSellers",
                            "alsoBought",
                            "view",
                            "callTransaction",
                            "pointSelect",
                            "insert");
            assertThat(report.json().get("ratio"))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsKeys("bestSellers", "newProducts", "titleSearch", "update")
                    .allSatisfy((query, ratio) ->
                            assertThat((double) ratio).as("%s", query).isPositive());
            assertThat(report.json().get("ratioByClients"))
                    .isInstanceOf(Map.class)
                    .asString()
                    .contains("insert={1=");
            assertThat(
                            quire.number(
                                    "SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name LIKE 'lab%'"))
                    .isZero();
            assertThat(tier.cluster().verify().identical()).isTrue();
        }
    }
}
