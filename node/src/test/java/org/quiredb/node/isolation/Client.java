package org.quiredb.node.isolation;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.isolation.Tables.Sort;
import org.quiredb.simulation.history.Transaction;
import org.quiredb.simulation.history.Transaction.Observation;
import org.quiredb.simulation.history.Transaction.Operation;
import org.quiredb.simulation.history.Transaction.Outcome;
import org.quiredb.simulation.history.Transaction.ReadCounter;

/// One client of a history: transaction after transaction, each written down as it saw it.
///
/// Threads: one.
final class Client implements AutoCloseable {
    /// How clients reach the tier.
    interface Door {
        /// @param turn another one is another scheduler, where there are several
        Connection open(int process, int turn) throws SQLException;
    }

    private static final int DEADLOCK = 1213;
    private static final int LOCK_WAIT_TIMEOUT = 1205;
    private static final int MOST_TRANSACTIONS = 3000;
    private static final int LAST_LOOKS = 3;
    private static final String ONLY_THE_BACKEND = " AND INET_ATON('127.0.0.1') > 0";

    private final Door door;
    private final int process;
    private final Mix mix;
    private final Keeper keeper;
    private final Random random;
    private final List<Transaction> seen = new ArrayList<>();

    /// On two schedulers; each transaction takes one.
    private final @Nullable Seat[] seats = new Seat[2];

    private int at;

    private record Seat(Connection connection, Reading reading, Writing writing) {}

    Client(Door door, int process, Mix mix, Keeper keeper) {
        this.door = door;
        this.process = process;
        this.mix = mix;
        this.keeper = keeper;
        this.random = mix.client(process);
    }

    /// Returns what it saw, when it has run its transactions and `goOn` says no.
    List<Transaction> run(BooleanSupplier goOn) throws SQLException {
        for (int i = 0; i < mix.transactions() || goOn.getAsBoolean(); i++) {
            if (i == MOST_TRANSACTIONS) {
                throw new IllegalStateException("the fault of " + mix + " is never over");
            }
            if (random.nextInt(100) < mix.readOnlyPercent()) {
                readOnly();
            } else {
                update();
            }
        }
        return seen;
    }

    /// A last look at everything, which must succeed: every fault is over.
    List<Transaction> readAll() throws SQLException {
        for (int i = 0; i < LAST_LOOKS; i++) {
            lookAtAll();
            if (seen.getLast().outcome() == Outcome.COMMITTED) {
                return seen;
            }
        }
        throw new IllegalStateException("client " + process + " cannot read any more");
    }

    private void lookAtAll() throws SQLException {
        attempt(open -> {
            open.connection().setReadOnly(true);
            open.connection().setAutoCommit(false);
            for (int schema = 0; schema < mix.schemas(); schema++) {
                open.operations().addAll(reading().readAll(schema));
            }
            open.connection().commit();
            return Outcome.COMMITTED;
        });
    }

    /// What a transaction has so far.
    private static final class Open {
        private final Connection connection;
        private final long start = System.nanoTime();
        private final List<Operation> operations = new ArrayList<>();
        private boolean committing;
        private @Nullable CompletableFuture<Void> cut;

        Open(Connection connection) {
            this.connection = connection;
        }

        Connection connection() {
            return connection;
        }

        List<Operation> operations() {
            return operations;
        }
    }

    private interface Body {
        Outcome run(Open open) throws SQLException;
    }

    private void readOnly() throws SQLException {
        attempt(open -> {
            boolean alone = random.nextInt(4) == 0;
            boolean inWords = !alone && random.nextInt(3) == 0;
            open.connection().setReadOnly(!inWords);
            open.connection().setAutoCommit(alone || inWords);
            if (inWords) {
                Tables.execute(open.connection(), "START TRANSACTION READ ONLY");
            }
            for (int i = alone ? 1 : random.nextInt(1, mix.longest() + 1); i > 0; i--) {
                String condition =
                        alone && random.nextInt(100) < mix.backendPercent() ? ONLY_THE_BACKEND : "";
                open.operations().addAll(reading().read(schema(), sort(), condition, ""));
            }
            if (inWords) {
                Tables.execute(open.connection(), "COMMIT");
            } else if (!alone) {
                open.connection().commit();
            }
            return Outcome.COMMITTED;
        });
    }

    private void update() throws SQLException {
        attempt(open -> {
            boolean alone = random.nextInt(4) == 0;
            open.connection().setReadOnly(false);
            open.connection().setAutoCommit(alone);
            int schema = schema();
            if (alone && random.nextInt(4) == 0) {
                open.operations().addAll(reading().read(schema, sort(), "", locking()));
                return Outcome.COMMITTED;
            }
            if (alone) {
                open.committing = true;
                Sort sort =
                        List.of(Sort.LIST, Sort.ELEMENT, Sort.GROUP, Sort.COUNTER)
                                .get(random.nextInt(4));
                writing().write(schema, sort, true, open.operations());
                return Outcome.COMMITTED;
            }
            boolean changeless = random.nextInt(100) < mix.changelessPercent();
            for (int i = random.nextInt(1, mix.longest() + 1); i > 0; i--) {
                if (changeless) {
                    look(open, schema);
                } else {
                    step(open, schema);
                }
            }
            if (random.nextInt(10) == 0) {
                open.connection().rollback();
                saw(open);
                return Outcome.ABORTED;
            }
            if (random.nextInt(40) == 0) {
                open.connection().abort(Runnable::run); // with its locks
                return Outcome.ABORTED;
            }
            open.committing = true;
            if (random.nextInt(40) == 0) {
                open.cut =
                        CompletableFuture.runAsync(
                                () -> cut(open.connection()), Thread::startVirtualThread);
            }
            open.connection().commit();
            return Outcome.COMMITTED;
        });
    }

    /// Breaks the connection, at some moment of what runs on it.
    private static void cut(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Changes nothing.
    private void look(Open open, int schema) throws SQLException {
        Sort sort = sort();
        if (random.nextInt(3) == 0) {
            writing().touch(schema, sort);
        }
        String suffix = random.nextInt(3) == 0 ? locking() : "";
        open.operations().addAll(reading().read(schema, sort, "", suffix));
    }

    /// A rollback that is answered makes what was seen before known, as a commit does. Where a
    /// master may be lost, what was seen may be lost with it.
    private void saw(Open open) {
        if (mix.fault() != Mix.Fault.NONE) {
            return;
        }
        List<Operation> seen = new ArrayList<>();
        Set<Integer> changed = new HashSet<>();
        for (Operation operation : open.operations()) {
            boolean reads = operation instanceof Observation || operation instanceof ReadCounter;
            if (!reads) {
                changed.add(operation.key());
            } else if (!changed.contains(operation.key())) {
                seen.add(operation);
            }
        }
        write(open.start, Outcome.COMMITTED, seen);
    }

    private void step(Open open, int schema) throws SQLException {
        if (random.nextInt(10) == 0) {
            Savepoint savepoint = open.connection().setSavepoint("here");
            int before = open.operations().size();
            one(open, schema);
            if (random.nextBoolean()) {
                open.connection().rollback(savepoint);
                List<Operation> undone =
                        open.operations().subList(before, open.operations().size());
                write(System.nanoTime(), Outcome.ABORTED, undone);
                undone.clear();
            }
        }
        one(open, schema);
    }

    private void one(Open open, int schema) throws SQLException {
        if (random.nextInt(100) < mix.readPercent()) {
            String suffix = random.nextInt(100) >= mix.lockingPercent() ? "" : locking();
            open.operations().addAll(reading().read(schema, sort(), "", suffix));
        } else {
            writing().write(schema, sort(), false, open.operations());
        }
    }

    private String locking() {
        return random.nextBoolean() ? " FOR UPDATE" : " LOCK IN SHARE MODE";
    }

    /// An error before COMMIT was sent means that nothing took effect, after it that nobody knows.
    private void attempt(Body body) throws SQLException {
        at = random.nextInt(3) == 0 ? 1 : 0;
        Open open = new Open(connection());
        Outcome outcome;
        try {
            outcome = body.run(open);
        } catch (SQLException e) {
            boolean lostToOthers =
                    e.getErrorCode() == DEADLOCK || e.getErrorCode() == LOCK_WAIT_TIMEOUT;
            if (!lostToOthers && open.cut == null && mix.fault() == Mix.Fault.NONE) {
                throw e;
            }
            outcome = open.committing && !lostToOthers ? Outcome.UNKNOWN : Outcome.ABORTED;
            rollBack(open.connection());
        }
        if (open.cut != null) {
            open.cut.join(); // it may come after the end: the next transaction has another one
        }
        write(open.start, outcome, open.operations());
    }

    private void rollBack(Connection failed) throws SQLException {
        try {
            if (!failed.getAutoCommit()) {
                failed.rollback();
            } else {
                Tables.execute(failed, "ROLLBACK");
            }
        } catch (SQLException e) {
            leave();
        }
    }

    private void write(long start, Outcome outcome, List<Operation> operations) {
        seen.add(
                new Transaction(
                        keeper.transaction(),
                        process,
                        start,
                        System.nanoTime(),
                        outcome,
                        operations));
    }

    private int schema() {
        return random.nextInt(mix.schemas());
    }

    private Sort sort() {
        return Sort.values()[random.nextInt(Sort.values().length)];
    }

    private Connection connection() throws SQLException {
        Seat seat = seats[at];
        if (seat == null || seat.connection.isClosed()) {
            Connection connection = door.open(process, at);
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            Rows rows = new Rows(connection);
            Reading reading = new Reading(rows, keeper, mix, random);
            seat = new Seat(connection, reading, new Writing(rows, reading, keeper, mix, random));
            seats[at] = seat;
        }
        return seat.connection;
    }

    private Seat seat() {
        return Objects.requireNonNull(seats[at]);
    }

    private Reading reading() {
        return seat().reading;
    }

    private Writing writing() {
        return seat().writing;
    }

    private void leave() throws SQLException {
        seat().connection.close();
        seats[at] = null;
    }

    @Override
    public void close() throws SQLException {
        for (Seat seat : seats) {
            if (seat != null) {
                seat.connection.close();
            }
        }
    }
}
