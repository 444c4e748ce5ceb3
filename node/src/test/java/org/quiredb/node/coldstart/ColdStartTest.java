package org.quiredb.node.coldstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The experiment itself, on the layout in which most depends on who begins first.
@Tag("slow")
final class ColdStartTest {
    private static final Layout ALL_TWICE = new Layout(2, 2, 2, false, true);
    private static final long SEED = 3;

    /// How fast it is, the command tells on a machine that has nothing else to do.
    private static final int LIMIT_SECONDS = 150;

    @TempDir private Path data;

    @Test
    @Timeout(600)
    void aTierOfTwoOfEachBeginsByItselfAndComesBackAfterAPowerCut() throws Exception {
        Draw draw = new Draw(SEED, List.of(ALL_TWICE));
        List<ColdStart> starts =
                new ColdStartLab(data, 1_500, draw, LIMIT_SECONDS, System.out::println).run(2);
        assertThat(starts).hasSize(2).allMatch(ColdStart::good);
        assertThat(starts.getLast().acknowledged()).isPositive();
    }
}
