package org.quiredb.tpcw.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.quiredb.tpcw.TestServer;
import org.quiredb.tpcw.browser.BookstoreSize;
import org.quiredb.tpcw.browser.Mix;
import org.quiredb.tpcw.check.Consistency;
import org.quiredb.tpcw.check.Finding;
import org.quiredb.tpcw.interaction.InteractionType;

@Tag("slow")
class WorkloadTest {

    private static final WorkloadConfig CONFIG =
            WorkloadConfig.of(TestServer.bookstore(), TestServer.USER, TestServer.PASSWORD)
                    .withBrowsers(4, 0)
                    .withSeconds(1, 1);

    @ParameterizedTest
    @EnumSource(Mix.class)
    void runsAMixWithoutErrorsAndLeavesTheBookstoreConsistent(Mix mix) throws Exception {
        WorkloadResult result = Workload.run(CONFIG.withMix(mix));

        assertThat(result.errorMessages()).isEmpty();
        assertThat(result.errors()).isZero();
        assertThat(result.interactions()).isGreaterThan(20);
        assertThat(result.wips()).isPositive();
        assertThat(result.size().items()).isEqualTo(TestServer.ITEMS);
        assertThat(result.byInteraction()).hasSize(14);
        assertThat(result.byInteraction().stream().mapToLong(InteractionResult::count).sum())
                .isEqualTo(result.interactions());
        assertThat(Consistency.check(TestServer.bookstore(), TestServer.USER, TestServer.PASSWORD))
                .allMatch(Finding::holds);
    }

    @Test
    void comesNearTheMixThatWasAskedFor() throws Exception {
        WorkloadResult result = Workload.run(CONFIG.withSeconds(3, 0).withMix(Mix.ORDERING));

        assertThat(result.mixDeviationPercent()).isLessThan(6);
        assertThat(result.updateShare()).isBetween(0.25, 0.45);
        assertThat(result.wirtP50Millis()).containsOnlyKeys(codes());
        assertThat(result.wirtP99Millis().get("HOME"))
                .isGreaterThanOrEqualTo(result.wirtP50Millis().get("HOME"));
        assertThat(result.withinLimits()).isTrue();
    }

    @Test
    void showsItsProgressEachSecond() throws Exception {
        var seen = new ArrayList<WorkloadProgress>();
        Workload.run(CONFIG, seen::add);

        assertThat(seen).hasSizeBetween(2, 3);
        assertThat(seen).extracting(WorkloadProgress::elapsedSeconds).isSorted();
        assertThat(seen.getLast().measuring()).isTrue();
        assertThat(seen.getLast().wips()).isPositive();
    }

    @Test
    void thinksBetweenInteractions() throws Exception {
        WorkloadResult result = Workload.run(CONFIG.withBrowsers(2, 0.1));

        assertThat(result.interactions()).isLessThan(100);
    }

    @Test
    void countsWhatTheServerRefusesAndKeepsTheMessage() throws Exception {
        String empty = TestServer.url("nothing_here");
        var config =
                new WorkloadConfig(
                        empty,
                        TestServer.USER,
                        TestServer.PASSWORD,
                        Mix.SHOPPING,
                        2,
                        1,
                        0,
                        0,
                        1,
                        OptionalInt.of(1000),
                        OptionalInt.of(2880));

        WorkloadResult result = Workload.run(config);

        assertThat(result.errors()).isPositive();
        assertThat(result.interactions()).isZero();
        assertThat(result.errorMessages().getFirst()).contains("error 1146 (42S02)");
    }

    @Test
    void failsAtOnceWhereThereIsNoBookstore() {
        var config =
                WorkloadConfig.of(
                        TestServer.url("nothing_at_all"), TestServer.USER, TestServer.PASSWORD);

        assertThatThrownBy(() -> Workload.run(config))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("doesn't exist");
    }

    @Test
    void doesNotTakeRegisteredCustomersForPopulatedOnes() {
        assertThat(Sizes.withoutRegistered(28_800 + 17)).isEqualTo(28_800);
        assertThat(Sizes.withoutRegistered(1440)).isEqualTo(1440);
    }

    @Test
    void refusesAConfigurationThatMakesNoSense() {
        assertThatThrownBy(() -> CONFIG.withBrowsers(0, 0))
                .hasMessageContaining("browsers must be at least 1");
        assertThatThrownBy(() -> CONFIG.withBrowsers(1, -1)).hasMessageContaining("thinkTimeScale");
        assertThatThrownBy(() -> new BookstoreSize(0, 10))
                .hasMessageContaining("populate it first");
    }

    private static List<String> codes() {
        return List.of(InteractionType.values()).stream().map(InteractionType::name).toList();
    }
}
