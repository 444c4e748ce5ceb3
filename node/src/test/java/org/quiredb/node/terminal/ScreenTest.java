package org.quiredb.node.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ScreenTest {
    private static final String LONG =
            "slave-1 died; its reads went on at slave-2 and slave-3 and slave-4 and slave-5 and slave-6"
                    + " after 0.3 s, and the rest of this sentence is not of importance";

    private final StringWriter written = new StringWriter();
    private final PrintWriter out = new PrintWriter(written);
    private long nanos;

    @Test
    void aPipeGetsAShortLineEveryFiveSecondsAndNoEscapeSequence() {
        Screen screen = new PlainScreen(out, () -> nanos);

        for (int second = 0; second <= 12; second++) {
            nanos = TimeUnit.SECONDS.toNanos(second);
            screen.show(new View(List.of("a", "b"), second + " s"));
        }
        screen.say(LONG);

        List<String> lines = written.toString().lines().toList();
        assertThat(lines.subList(0, 2)).containsExactly("5 s", "10 s");
        assertThat(lines).allMatch(line -> line.length() <= 100).noneMatch(l -> l.contains("\033"));
        assertThat(String.join(" ", lines.subList(2, lines.size())).replaceAll(" +", " "))
                .isEqualTo(LONG);
    }

    @Test
    void aViewOfNoWorthForAPipeIsNoLine() {
        Screen screen = new PlainScreen(out, () -> nanos);

        nanos = TimeUnit.SECONDS.toNanos(60);
        screen.show(new View(List.of("a"), ""));

        assertThat(written.toString()).isEmpty();
    }

    @Test
    void aTerminalShowsTheLastPictureBelowEverythingThatWasSaid() {
        Screen screen = new LiveScreen(out);

        screen.show(new View(List.of("starting", "1 of 2"), ""));
        screen.say("the backend is there");
        screen.show(new View(List.of("starting", "2 of 2", "soon"), ""));
        screen.say("slave-1 died");
        screen.show(new View(List.of("one line"), ""));

        assertThat(Terminal.after(written.toString()))
                .containsExactly("the backend is there", "slave-1 died", "one line");
    }

    @Test
    void aPhaseThatEndsTakesItsPictureWithIt() {
        Screen screen = new LiveScreen(out);

        screen.show(new View(List.of("filling", "1 of 2"), ""));
        screen.end("filled");
        screen.say("done");

        assertThat(Terminal.after(written.toString())).containsExactly("filled", "done");
    }

    @Test
    void whatStaysInATerminalIsNoWiderThanEighty() {
        new LiveScreen(out).say(LONG);

        assertThat(Terminal.after(written.toString()))
                .hasSizeGreaterThan(1)
                .allMatch(line -> line.length() <= 80);
    }

    @Test
    void textWithoutSpacesIsBrokenAnywhere() {
        assertThat(Lines.wrapped("  " + "x".repeat(250), 100))
                .allMatch(line -> line.length() <= 100)
                .hasSize(3);
    }

    @Test
    void progressTellsTheTimeThatIsLeftAtThePaceSoFar() {
        ProgressLine progress = new ProgressLine("filling", "rows", false, () -> nanos);

        assertThat(progress.at("", 0, 200).line()).isEqualTo("filling: 0 %, 0 of 200 rows");
        nanos = TimeUnit.SECONDS.toNanos(10);
        assertThat(progress.at("keys of item", 50, 200).line())
                .isEqualTo("filling: 25 %, 50 of 200 rows, keys of item, about 30 s left");
        assertThat(progress.at("", 50, 200).picture())
                .containsExactly(
                        "filling  #####...............  25 %  50 of 200 rows, about 30 s left");
        assertThat(progress.at("", 200, 200).line()).isEqualTo("filling: 100 %, 200 of 200 rows");
    }

    @Test
    void aGapIsSeenInTheBars() {
        Sparkline bars = new Sparkline(4, false);

        List.of(9.0, 80.0, 0.0, 1.0, 40.0).forEach(bars::add);

        assertThat(bars).hasToString("@ .=");
    }
}
