package org.quiredb.logger.set;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Two loggers and three backends, any of which may be cut off from any logger, with commits that
/// reach some backends only: whatever was acknowledged is on every backend that a logger goes on
/// with.
@Tag("slow")
class BackendSetWalkTest {
    private static final int SEEDS = 300;
    private static final int STEPS = 400;

    private static final class ModelBackend {
        private final String name;
        private Sighting holds = Sighting.EMPTY;
        private List<Integer> log = new ArrayList<>();

        ModelBackend(String name) {
            this.name = name;
        }
    }

    private final List<Integer> acknowledged = new ArrayList<>();
    private Random random = new Random(0);
    private List<ModelBackend> backends = List.of();
    private int transactions;
    private long owners;
    private int changes;

    @Test
    void whatWasAcknowledgedIsOnWhateverALoggerGoesOnWith() {
        long acknowledgedInAll = 0;
        long changesInAll = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            walk(seed);
            acknowledgedInAll += acknowledged.size();
            changesInAll += changes;
        }
        assertThat(acknowledgedInAll).as("the walk gets somewhere").isGreaterThan(SEEDS * 20L);
        assertThat(changesInAll).as("memberships").isGreaterThan(SEEDS * 5L);
    }

    private void walk(int seed) {
        random = new Random(seed);
        acknowledged.clear();
        changes = 0;
        backends =
                List.of(new ModelBackend("a"), new ModelBackend("b"), new ModelBackend("c"))
                        .subList(0, 2 + random.nextInt(2));
        List<ModelLogger> loggers = new ArrayList<>(List.of(new ModelLogger(), new ModelLogger()));
        for (int step = 0; step < STEPS; step++) {
            int which = random.nextInt(4) == 0 ? 1 : 0;
            if (random.nextInt(60) == 0) {
                loggers.set(which, new ModelLogger());
            }
            try {
                loggers.get(which).step();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ", step " + step, e);
            }
        }
    }

    /// As SharedStore and CatchUp do it, with a transaction on each backend as one step.
    private final class ModelLogger {
        private final long owner = ++owners;
        private final Map<String, Membership> held = new HashMap<>();
        private Membership inForce = Membership.NONE;
        private Membership attempted = Membership.NONE;
        private List<String> base = List.of();
        private boolean settled;
        private boolean fenced;
        private List<ModelBackend> reached = List.of();

        void step() {
            reached = backends.stream().filter(b -> random.nextInt(5) > 0).toList();
            if (fenced) {
                return;
            }
            if (inForce.is(Membership.NONE)) {
                take();
            } else if (settled && random.nextInt(3) == 0) {
                backends.stream()
                        .filter(b -> !base.contains(b.name) && reached.contains(b))
                        .findAny()
                        .ifPresent(this::admit);
            } else {
                run();
            }
        }

        private void take() {
            Map<String, Sighting> seen = look(backends.stream().map(b -> b.name).toList());
            switch (new Discovery(backends.stream().map(b -> b.name).toList(), seen)
                    .verdict(owner)) {
                case Discovery.Verdict.Found(List<String> members) ->
                        take(new Membership(1, owner, members));
                case Discovery.Verdict.Take(Membership next) -> take(next);
                case Discovery.Verdict.Wait wait -> {}
                case Discovery.Verdict.Foreign foreign -> throw new AssertionError(foreign);
            }
        }

        private void take(Membership next) {
            boolean all = true;
            for (ModelBackend backend : of(next.members())) {
                if (commits()) {
                    backend.holds = new Sighting(next, backend.holds.version());
                } else {
                    all = false;
                }
            }
            if (all) {
                inForce = next;
                attempted = next;
                Version newest =
                        of(next.members()).stream()
                                .map(b -> b.holds.version())
                                .max(Version::compareTo)
                                .orElseThrow();
                base =
                        of(next.members()).stream()
                                .filter(b -> b.holds.version().equals(newest))
                                .map(b -> b.name)
                                .toList();
                changes++;
            }
        }

        private void run() {
            if (settled) {
                transact(inForce);
                return;
            }
            MembershipDecision reckoning =
                    new MembershipDecision(inForce, attempted, base, look(base));
            inForce = reckoning.inForce();
            switch (reckoning.verdict(random.nextBoolean())) {
                case MembershipDecision.Verdict.Wait() -> {}
                case MembershipDecision.Verdict.Fenced(long other) -> fenced = true;
                case MembershipDecision.Verdict.GoOn(Membership next) -> {
                    attempted = next.generation() > attempted.generation() ? next : attempted;
                    base = next.members();
                    transact(next);
                }
            }
        }

        private boolean transact(Membership next) {
            List<ModelBackend> members = of(next.members());
            int transaction = ++transactions;
            settled = false;
            if (!begins(members)) {
                return false;
            }
            boolean all = true;
            for (ModelBackend backend : members) {
                if (commits()) {
                    step(backend, next, transaction);
                } else {
                    all = false;
                }
            }
            if (all) {
                changes += next.is(inForce) ? 0 : 1;
                inForce = next;
                attempted = next;
                settled = true;
                acknowledged.add(transaction);
                members.forEach(b -> assertThat(b.log).containsAll(acknowledged));
            }
            return all;
        }

        private boolean begins(List<ModelBackend> members) {
            return members.stream()
                    .allMatch(b ->
                            reached.contains(b)
                                    && b.holds
                                            .membership()
                                            .is(held.getOrDefault(b.name, Membership.NONE)));
        }

        private void step(ModelBackend backend, Membership next, int transaction) {
            long count = backend.holds.version().transactions() + 1;
            backend.holds = new Sighting(next, new Version(next.generation(), count));
            backend.log.add(transaction);
            held.put(backend.name, next);
        }

        private void admit(ModelBackend joiner) {
            long seen = joiner.holds.membership().generation();
            boolean mine = joiner.holds.membership().is(attempted);
            if (attempted.generation() <= seen && !mine) {
                attempted = new Membership(seen + 1, owner, base);
                if (!transact(attempted)) {
                    return;
                }
            }
            joiner.holds = new Sighting(inForce, Version.NONE);
            List<ModelBackend> old = of(base);
            joiner.log = new ArrayList<>(old.getFirst().log); // a logger that was replaced may too
            if (random.nextInt(3) == 0) {
                return; // others come between
            }
            Membership next =
                    new Membership(
                            attempted.generation() + 1,
                            owner,
                            Stream.concat(base.stream(), Stream.of(joiner.name)).toList());
            settled = false;
            if (!begins(old)) {
                return;
            }
            attempted = next;
            base = next.members();
            int transaction = ++transactions;
            Sighting source = old.getFirst().holds;
            List<Integer> log = new ArrayList<>(old.getFirst().log);
            log.add(transaction);
            boolean all = true;
            for (ModelBackend backend : old) {
                if (commits()) {
                    step(backend, next, transaction);
                } else {
                    all = false;
                }
            }
            if (all && commits()) {
                joiner.log = log;
                joiner.holds =
                        new Sighting(
                                next,
                                new Version(
                                        next.generation(), source.version().transactions() + 1));
            }
        }

        private boolean commits() {
            return random.nextInt(8) > 0;
        }

        private Map<String, Sighting> look(List<String> names) {
            Map<String, Sighting> seen = new HashMap<>();
            for (ModelBackend backend : of(names)) {
                if (reached.contains(backend)) {
                    seen.put(backend.name, backend.holds);
                    held.put(backend.name, backend.holds.membership());
                }
            }
            return seen;
        }

        private List<ModelBackend> of(List<String> names) {
            return backends.stream().filter(b -> names.contains(b.name)).toList();
        }
    }
}
