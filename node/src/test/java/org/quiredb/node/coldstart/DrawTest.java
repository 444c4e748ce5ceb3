package org.quiredb.node.coldstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DrawTest {
    private static final List<String> HOSTS = List.of("a", "b", "c", "d");

    @Test
    void everyLayoutComesBeforeOneComesAgain() {
        Draw draw = new Draw(1, Layout.all());
        for (int deck = 0; deck < 3; deck++) {
            Set<Layout> drawn = new HashSet<>();
            for (int i = 0; i < Layout.all().size(); i++) {
                drawn.add(draw.layout());
            }
            assertThat(drawn).containsExactlyInAnyOrderElementsOf(Layout.all());
        }
    }

    @Test
    void aSeedDrawsTheSameAgain() {
        assertThat(starts(5)).isEqualTo(starts(5)).isNotEqualTo(starts(6));
    }

    @Test
    void everyHostBeginsOnceButTheOneThatIsMissing() {
        Draw draw = new Draw(3, Layout.all());
        Set<String> missed = new TreeSet<>();
        Set<String> begun = new TreeSet<>();
        for (int i = 0; i < 200; i++) {
            Draw.Start start = draw.start(HOSTS, List.of("a", "c"));
            List<String> expected = new ArrayList<>(HOSTS);
            start.missing()
                    .ifPresent(m -> {
                        expected.remove(m.host());
                        missed.add(m.host() + m.silent());
                    });
            List<String> order = start.hosts();
            assertThat(order).containsExactlyInAnyOrderElementsOf(expected);
            begun.add(order.getFirst());
        }
        assertThat(missed).containsExactly("afalse", "atrue", "cfalse", "ctrue");
        assertThat(begun).containsExactlyElementsOf(HOSTS);
    }

    @Test
    void nobodyIsMissingWhereNobodyMayBe() {
        Draw draw = new Draw(3, Layout.all());
        for (int i = 0; i < 50; i++) {
            assertThat(draw.start(HOSTS, List.of()).missing()).isEmpty();
        }
    }

    @Test
    void whoIsKnownToBeMissingIs() {
        Draw.Start start = new Draw(3, Layout.all()).startWithout("b", HOSTS);
        assertThat(start.missing().map(Draw.Start.Missing::host)).contains("b");
        assertThat(start.hosts()).containsExactlyInAnyOrder("a", "c", "d");
    }

    private static List<Draw.Start> starts(long seed) {
        Draw draw = new Draw(seed, Layout.all());
        return List.of(draw.start(HOSTS, HOSTS), draw.start(HOSTS, HOSTS));
    }
}
