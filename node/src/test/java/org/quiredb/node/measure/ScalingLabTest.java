package org.quiredb.node.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.cluster.ProcessOptions;
import org.quiredb.tpcw.browser.Mix;
import org.quiredb.tpcw.run.WorkloadProgress;

/// The experiment itself, as small as it can be.
@Tag("slow")
final class ScalingLabTest {
    @TempDir private Path data;

    @Test
    @Timeout(180)
    void comparesATierInsideThisProcessWithoutShares() throws Exception {
        ScalingReport report =
                lab(1, Mix.SHOPPING)
                        .run(
                                SmallBookstore::fill,
                                (folder, slaves) -> config -> LocalCluster.inside(config, 0),
                                false);
        assertThat(report.errors()).isZero();
        assertThat(report.text()).contains("NO shares", "InnoDB read committed", "shopping");
        Map<String, Object> json = report.json();
        assertThat(json).containsEntry("shares", false).containsKeys("innodb", "machine");
        assertThat(json.get("ratio")).asString().matches("\\{shopping=[0-9.]*[1-9][0-9.]*}");
        assertThat(json.get("limitedBy")).asString().matches("\\{shopping=(waiting|machine)}");
    }

    @Test
    @Tag("long")
    @Timeout(400)
    void everyServerOfATierOfProcessesHasItsShare() throws Exception {
        ScalingReport report =
                lab(2, Mix.BROWSING)
                        .run(
                                SmallBookstore::fill,
                                (folder, slaves) ->
                                        config ->
                                                LocalCluster.processes(
                                                        config,
                                                        new ProcessOptions(
                                                                folder.resolve("processes"),
                                                                0,
                                                                2_000,
                                                                1 + slaves)),
                                true);
        assertThat(report.errors()).isZero();
        assertThat(report.json().get("results"))
                .asString()
                .contains("master=", "slave-1=", "slave-2=", "scheduler=", "backend=", "innodb=");
        if (Objects.requireNonNull(report.json().get("shares")).equals(true)) {
            assertThat(report.json().get("ratio")).asString().contains("browsing=");
        }
    }

    private ScalingLab lab(int slaves, Mix mix) throws Exception {
        FreshBackend.prepare(Files.createDirectories(data.resolve("base")));
        return new ScalingLab(
                new ScalingLab.Plan(
                        List.of(slaves),
                        List.of(mix),
                        new Share(20),
                        1,
                        1,
                        1,
                        4,
                        SmallBookstore.ITEMS,
                        SmallBookstore.CUSTOMERS),
                new ScalingLab.Place(data, FreePorts.next(), FreePorts.next()),
                new ScalingLab.Listener() {
                    @Override
                    public void say(String what) {
                        System.out.println(what);
                    }

                    @Override
                    public void second(WorkloadProgress progress) {}
                });
    }
}
