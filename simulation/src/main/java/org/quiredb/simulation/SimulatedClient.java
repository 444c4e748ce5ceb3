package org.quiredb.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.scheduler.route.Tags;
import org.quiredb.simulation.history.Transaction;
import org.quiredb.simulation.history.Transaction.Operation;
import org.quiredb.simulation.history.Transaction.Outcome;
import org.quiredb.simulation.history.Transaction.Write;

/// A client that runs one transaction after the other and keeps what it saw.
///
/// Threads: one.
final class SimulatedClient extends Machine {
    private static final int MOST_OPERATIONS = 4;

    private final Tier tier;
    private final int number;
    private final List<Transaction> history;
    private int recent;
    private boolean stopped;
    private @Nullable Open current;

    /// What a client knows of a transaction that is open.
    private final class Open {
        final int id = tier.nextHistoryId();
        final long start = world.moment();
        final int schedulerLife;
        final SchedulerNode scheduler;
        final List<Operation> operations = new ArrayList<>();
        final boolean changesNothing = world.chance(25);
        final boolean rollsBack = world.chance(12);
        int left = 1 + world.below(MOST_OPERATIONS);
        boolean over;
        boolean committing;

        Open(SchedulerNode scheduler) {
            this.scheduler = scheduler;
            this.schedulerLife = scheduler.life();
            current = this;
            watch();
        }

        /// A lost connection ends it.
        private void watch() {
            after(
                    30_000,
                    () -> {
                        if (!lost()) {
                            watch();
                        }
                    });
        }

        boolean lost() {
            if (!over && schedulerLife != scheduler.life()) {
                end(committing ? Outcome.UNKNOWN : Outcome.ABORTED);
            }
            return over;
        }

        void end(Outcome outcome) {
            if (over) {
                return;
            }
            over = true;
            tier.count(outcome);
            note("h" + id + " " + outcome + " " + operations);
            history.add(new Transaction(id, number, start, world.moment(), outcome, operations));
            boolean hurries = world.chance(40);
            after(
                    hurries ? world.between(1, 50) : world.between(200, 35_000),
                    SimulatedClient.this::next);
        }

        /// What it saw before it wrote holds although it is rolled back, as of a transaction of its
        /// own: its client has been told of the end.
        void saw() {
            List<Operation> seen = new ArrayList<>();
            Set<Integer> written = new HashSet<>();
            for (Operation operation : operations) {
                if (operation instanceof Write) {
                    written.add(operation.key());
                } else if (!written.contains(operation.key())) {
                    seen.add(operation);
                }
            }
            history.add(
                    new Transaction(
                            tier.nextHistoryId(),
                            number,
                            start,
                            world.moment(),
                            Outcome.COMMITTED,
                            seen));
        }
    }

    SimulatedClient(World world, Tier tier, int number, List<Transaction> history) {
        super(world, "k" + number);
        this.tier = tier;
        this.number = number;
        this.history = history;
    }

    @Override
    void begin() {
        next();
    }

    @Override
    void forget() {}

    /// Begins nothing more.
    void finish() {
        stopped = true;
    }

    boolean idle() {
        return current == null || current.over;
    }

    private void next() {
        if (stopped) {
            return;
        }
        SchedulerNode scheduler = tier.scheduler(world.below(8));
        if (!scheduler.up()) {
            after(50_000, this::next);
        } else if (world.chance(45)) {
            readOnly(new Open(scheduler));
        } else {
            update(new Open(scheduler));
        }
    }

    private void readOnly(Open open) {
        open.scheduler
                .companionship()
                .tag(use -> {
                    if (open.over) {
                        use.ifPresent(Tags.Use::close);
                    } else if (use.isPresent()) {
                        read(open, open.scheduler.new View(use.get()));
                    } else {
                        open.end(Outcome.ABORTED);
                    }
                });
    }

    private void read(Open open, SchedulerNode.View view) {
        if (open.left-- == 0) {
            view.close();
            open.end(Outcome.COMMITTED);
            return;
        }
        int key = world.chance(50) ? recent : world.below(Content.keys(tier.classes()));
        open.scheduler.read(
                view,
                key,
                values -> {
                    if (open.over) {
                        return;
                    }
                    if (values == null) {
                        view.close();
                        open.end(Outcome.ABORTED);
                    } else {
                        open.operations.add(observed(key, values));
                        later(open, () -> read(open, view));
                    }
                });
    }

    private static Operation observed(int key, List<Integer> values) {
        return Content.isRegister(key)
                ? new Transaction.ReadRegister(key, values.isEmpty() ? 0 : values.getLast())
                : new Transaction.ReadList(key, values);
    }

    private void later(Open open, Runnable action) {
        after(
                world.chance(5) ? world.between(5_000, 60_000) : world.between(20, 500),
                () -> {
                    if (!open.lost()) {
                        action.run();
                    }
                });
    }

    private void update(Open open) {
        int ofClass = world.below(tier.classes());
        statement(
                open,
                ofClass,
                new UpdateSession(open.scheduler, tier, Content.conflictClass(ofClass)));
    }

    private void statement(Open open, int ofClass, UpdateSession session) {
        if (open.left-- <= 0) {
            if (open.rollsBack) {
                rollBack(open, session);
            } else {
                commit(open, session);
            }
            return;
        }
        int key = Content.key(ofClass, world.chance(40), world.below(Content.KEYS_OF_SORT));
        recent = key;
        boolean reads = open.changesNothing || world.chance(35);
        Runnable next = () -> statement(open, ofClass, session);
        if (Content.isRegister(key) && !reads) {
            ask(open, session, key, 0, () -> ask(open, session, key, tier.nextValue(), next));
        } else {
            ask(open, session, key, reads ? 0 : tier.nextValue(), next);
        }
    }

    private void ask(Open open, UpdateSession session, int key, int value, Runnable then) {
        session.run(
                new Requests.Statement(key, value, value != 0 || world.chance(30)),
                values -> {
                    if (open.over) {
                        return;
                    }
                    if (values == null) {
                        open.end(Outcome.ABORTED);
                        return;
                    }
                    open.operations.add(
                            value == 0
                                    ? observed(key, values)
                                    : Content.isRegister(key)
                                            ? new Transaction.Replace(key, value)
                                            : new Transaction.Append(key, value));
                    later(open, then);
                });
    }

    private void rollBack(Open open, UpdateSession session) {
        session.rollBack(known -> {
            if (known && !open.over) {
                open.saw();
            }
            open.end(Outcome.ABORTED);
        });
    }

    private void commit(Open open, UpdateSession session) {
        open.committing = true;
        session.commit(committed ->
                open.end(
                        committed == null
                                ? Outcome.UNKNOWN
                                : committed ? Outcome.COMMITTED : Outcome.ABORTED));
    }
}
