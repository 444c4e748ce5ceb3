package org.quiredb.node.coldstart;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// Draws layouts and starts: the same ones from the same seed.
///
/// Threads: one.
final class Draw {
    private static final int LONGEST_PAUSE_MILLIS = 1_500;

    /// A host that is late by so much is waited for longer than anything but `waitSeconds` waits.
    private static final int LATE_MILLIS = 12_000;

    private final Random random;
    private final List<Layout> layouts;
    private final List<Layout> deck = new ArrayList<>();

    /// @param layouts to draw from
    Draw(long seed, List<Layout> layouts) {
        random = new Random(seed);
        this.layouts = List.copyOf(layouts);
    }

    /// One start of a tier.
    ///
    /// @param steps the hosts that begin, in their order
    /// @param missing the one that does not
    record Start(List<Step> steps, Optional<Missing> missing) {
        Start {
            steps = List.copyOf(steps);
        }

        /// @param pauseMillis since the step before
        record Step(String host, int pauseMillis) {
            @Override
            public String toString() {
                return pauseMillis == 0 ? host : "+%d ms %s".formatted(pauseMillis, host);
            }
        }

        /// @param silent whether its address answers nothing at all, as when the host is gone; else
        ///   connections to it are refused, as when the process is
        record Missing(String host, boolean silent) {
            @Override
            public String toString() {
                return host + (silent ? ", silent" : "");
            }
        }

        List<String> hosts() {
            return steps.stream().map(Step::host).toList();
        }

        @Override
        public String toString() {
            return missing.map(m -> " without " + m).orElse("")
                    + "; "
                    + String.join(" ", steps.stream().map(Step::toString).toList());
        }
    }

    /// All layouts come before one comes again.
    Layout layout() {
        if (deck.isEmpty()) {
            deck.addAll(layouts);
            Collections.shuffle(deck, random);
        }
        return deck.removeLast();
    }

    /// @param hosts that are there
    /// @param replaceable those of them that may be missing
    Start start(List<String> hosts, List<String> replaceable) {
        Optional<Start.Missing> missing =
                replaceable.isEmpty() || random.nextInt(4) == 0
                        ? Optional.empty()
                        : Optional.of(
                                new Start.Missing(
                                        replaceable.get(random.nextInt(replaceable.size())),
                                        random.nextBoolean()));
        return start(hosts, missing);
    }

    /// @param missing is known
    Start startWithout(String missing, List<String> hosts) {
        return start(hosts, Optional.of(new Start.Missing(missing, random.nextBoolean())));
    }

    private Start start(List<String> hosts, Optional<Start.Missing> missing) {
        List<String> order = new ArrayList<>(hosts);
        missing.ifPresent(m -> order.remove(m.host()));
        Collections.shuffle(order, random);
        return new Start(steps(order), missing);
    }

    private List<Start.Step> steps(List<String> order) {
        int mode = random.nextInt(4);
        int late = 1 + random.nextInt(order.size() - 1);
        List<Start.Step> steps = new ArrayList<>();
        for (int i = 0; i < order.size(); i++) {
            int pause =
                    switch (mode) {
                        case 0 -> 0; // all at once, as when the power comes back
                        case 1 -> i == late ? LATE_MILLIS : 0;
                        default -> i == 0 ? 0 : random.nextInt(LONGEST_PAUSE_MILLIS);
                    };
            steps.add(new Start.Step(order.get(i), pause));
        }
        return steps;
    }

    boolean chance() {
        return random.nextBoolean();
    }

    <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
