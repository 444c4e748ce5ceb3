package org.quiredb.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
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
        final long transactionId = 1_000L + id;
        final long start = world.moment();
        final int schedulerLife;
        final SchedulerNode scheduler;
        final List<Operation> operations = new ArrayList<>();
        final boolean changesNothing = world.chance(25);
        final boolean rollsBack = world.chance(12);
        final VersionVector began;
        int left = 1 + world.below(MOST_OPERATIONS);
        boolean over;
        boolean committing;

        Open(SchedulerNode scheduler) {
            this.scheduler = scheduler;
            this.schedulerLife = scheduler.life();
            this.began = scheduler.stable();
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
            note("t" + transactionId + " " + outcome + " " + operations);
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
        ConflictClass c = Content.conflictClass(ofClass);
        open.scheduler.awaitMaster(
                c,
                master -> {
                    if (open.over) {
                        return;
                    }
                    if (master.isEmpty()) {
                        open.end(Outcome.ABORTED);
                    } else {
                        statement(open, ofClass, master.get(), true);
                    }
                });
    }

    private void statement(Open open, int ofClass, SchedulerNode.Master master, boolean begins) {
        ConflictClass c = Content.conflictClass(ofClass);
        if (open.left-- <= 0) {
            if (open.rollsBack) {
                rollBackTold(open, c, master);
            } else {
                commit(open, c, master);
            }
            return;
        }
        int key = Content.key(ofClass, world.chance(40), world.below(Content.KEYS_OF_SORT));
        recent = key;
        boolean reads = open.changesNothing || world.chance(35);
        if (Content.isRegister(key) && !reads) {
            ask(
                    open,
                    c,
                    master,
                    begins,
                    key,
                    0,
                    () ->
                            ask(
                                    open,
                                    c,
                                    master,
                                    false,
                                    key,
                                    tier.nextValue(),
                                    () -> statement(open, ofClass, master, false)));
        } else {
            ask(
                    open,
                    c,
                    master,
                    begins,
                    key,
                    reads ? 0 : tier.nextValue(),
                    () -> statement(open, ofClass, master, false));
        }
    }

    private void ask(
            Open open,
            ConflictClass c,
            SchedulerNode.Master master,
            boolean begins,
            int key,
            int value,
            Runnable then) {
        Requests.Update request =
                new Requests.Update(
                        c,
                        open.scheduler.term(c, master),
                        open.transactionId,
                        begins,
                        key,
                        value,
                        value != 0 || world.chance(30));
        open.scheduler.call(
                master.node(),
                request,
                answer -> {
                    if (open.over) {
                        return;
                    }
                    if (answer.orElse(null) instanceof Requests.Values(List<Integer> values)) {
                        if (value == 0) {
                            open.operations.add(observed(key, values));
                        } else {
                            open.operations.add(
                                    Content.isRegister(key)
                                            ? new Transaction.Replace(key, value)
                                            : new Transaction.Append(key, value));
                        }
                        later(open, then);
                    } else {
                        rollBack(open, c, master);
                        open.end(Outcome.ABORTED);
                    }
                });
    }

    /// Until it is heard: its connection would tell.
    private static void rollBack(Open open, ConflictClass c, SchedulerNode.Master master) {
        open.scheduler.call(
                master.node(),
                new Requests.Rollback(open.transactionId, c, false),
                answer -> {
                    if (answer.isEmpty() && master.node().up()) {
                        open.scheduler.after(500_000, () -> rollBack(open, c, master));
                    }
                });
    }

    /// Where the class's term is over, what was seen may have gone with it.
    private void rollBackTold(Open open, ConflictClass c, SchedulerNode.Master master) {
        open.scheduler.call(
                master.node(),
                new Requests.Rollback(open.transactionId, c, true),
                answer -> {
                    if (answer.orElse(null) instanceof Requests.RolledBack(var seen)
                            && open.scheduler.term(c, master) == master.term()) {
                        open.scheduler
                                .companionship()
                                .learn(
                                        seen,
                                        agreed -> {
                                            if (agreed && !open.over) {
                                                open.saw();
                                            }
                                            open.end(Outcome.ABORTED);
                                        });
                    } else {
                        rollBack(open, c, master);
                        open.end(Outcome.ABORTED);
                    }
                });
    }

    private void commit(Open open, ConflictClass c, SchedulerNode.Master master) {
        open.committing = true;
        Requests.Commit request =
                new Requests.Commit(c, open.scheduler.term(c, master), open.transactionId);
        open.scheduler.call(
                master.node(),
                request,
                answer -> {
                    switch (answer.orElse(null)) {
                        case Requests.Committed(var vector) ->
                                open.scheduler
                                        .companionship()
                                        .learn(
                                                vector,
                                                agreed ->
                                                        open.end(
                                                                agreed
                                                                        ? Outcome.COMMITTED
                                                                        : Outcome.UNKNOWN));
                        case Requests.Over(String why) -> open.end(Outcome.ABORTED);
                        case Requests.Refused(var reason, long epoch) -> {
                            rollBack(open, c, master);
                            open.end(Outcome.ABORTED);
                        }
                        case null, default ->
                                open.scheduler.outcome(
                                        c,
                                        master.term(),
                                        open.transactionId,
                                        open.began,
                                        1,
                                        committed ->
                                                open.end(
                                                        committed == null
                                                                ? Outcome.UNKNOWN
                                                                : committed
                                                                        ? Outcome.COMMITTED
                                                                        : Outcome.ABORTED));
                    }
                });
    }
}
