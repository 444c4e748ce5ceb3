package org.quiredb.master.commit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.TablePart;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.master.commit.CommitPath.Append;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Commits of one class: the threaded edge of its {@link CommitPath}.
///
/// In one piece, since every step of a commit moves the same positions under the same lock.
///
/// Threads: any; the path is guarded by `lock`. Two threads of its own, see the package.
public final class ClassCommits implements OwnCommits, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClassCommits.class);
    private static final long TELL_STABLE_AFTER_MILLIS = 5;

    /// All but a large commit have given the lock back by then.
    private static final long SOON_MICROS = 1_000;

    /// So many parts of tables are on their way to the replicas at most.
    private static final int MOST_PARTS_UNDER_WAY = 8;

    private static final String STOPPED = "this master is being stopped";
    private static final long LAST_WORDS_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ConflictClass conflictClass;
    private final long inherited;
    private final CommitSettings settings;
    private final CommitPath path;
    private final CommitSequence sequence;
    private final QueryLog log;
    private final Consumer<byte[]> multicast;
    private final ReentrantLock lock = new ReentrantLock();

    /// Something has changed, but for what {@link #waiting} is about.
    private final Condition advanced = lock.newCondition();

    /// Who waits for a commit to be stable, by its number: woken then and not before.
    private final PriorityQueue<Waiting> waiting =
            new PriorityQueue<>(Comparator.comparingLong(Waiting::commitNumber));

    /// An append that is under way and has to be waited for.
    private @Nullable Append overdue;

    /// Whether the thread of appends is to be told when the log will have to be told anything.
    private boolean idle;

    private final Condition toBroadcast = lock.newCondition();
    private final Condition toLog = lock.newCondition();
    private final Semaphore underWay;
    private final BytesUnderWay bytesUnderWay;
    private final List<Thread> threads;
    private volatile String brokenBecause = "";
    private volatile boolean closed;
    private volatile boolean refuses;
    private final long term;
    private final LongAdder bytesSent = new LongAdder();

    private record Waiting(long commitNumber, Condition stable) {}

    /// A commit that has its number.
    ///
    /// @param append what its thread is to give the log, null where somebody else sees to it
    /// @param batch what its thread is to give the group, null where somebody else sees to it
    private record Numbered(
            long commitNumber, @Nullable Append append, @Nullable List<WriteSet> batch) {}

    public ClassCommits(
            CommitPath path, CommitSettings settings, QueryLog log, Consumer<byte[]> multicast) {
        this.path = path;
        this.sequence = path.sequence();
        this.conflictClass = sequence.conflictClass();
        this.inherited = sequence.assigned();
        this.term = path.term();
        this.settings = settings;
        this.log = log;
        this.multicast = multicast;
        this.underWay = new Semaphore(settings.maximumUnderWay(), true);
        this.bytesUnderWay = new BytesUnderWay(settings.maximumBytes());
        this.threads =
                List.of(
                        Thread.ofVirtual()
                                .name("broadcast " + conflictClass)
                                .start(this::broadcast),
                        Thread.ofVirtual().name("log " + conflictClass).start(this::writeLog));
    }

    /// Commits: returns when the commit is stable.
    ///
    /// @param publish given the commit number, publishes the transaction's effects, releases its
    ///   locks and returns its write set; called once, under the sequence's lock
    /// @param bytes that it takes in the log
    /// @return the commit number
    public long commit(LongFunction<WriteSet> publish, long bytes) {
        long deadlineNanos =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.waitMillis());
        return stable(enqueue(() -> path.commit(publish), bytes), deadlineNanos);
    }

    /// Gives the group pages of tables that the next commit makes, which is {@link #commitLogged};
    /// returns when the replicas have all but a few of them. One that does not take them is put out
    /// of the in-sync set as one that lags with commits.
    ///
    /// @throws QuireException when nothing of the class is committed here any more
    public void sendPart(long epoch, List<TablePart.Page> pages) {
        awaitParts(MOST_PARTS_UNDER_WAY - 1);
        int number = ask(path -> path.sequence().parts()) + 1;
        TablePart part = new TablePart(conflictClass, epoch, assigned() + 1, number, pages);
        byte[] message = new GroupMessage.Part(part.encode()).encode();
        multicast.accept(message);
        bytesSent.add(message.length);
        change(path -> path.sequence().partSent());
    }

    /// Returns when every in-sync replica has all parts: then one that has the commit that they
    /// belong to may hand it over to any other.
    public void awaitParts() {
        awaitParts(0);
    }

    private void awaitParts(int missing) {
        lock.lock();
        try {
            while (sequence.partsMissing() > missing) {
                checkWorking();
                advanced.await();
            }
            checkWorking();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(
                    ErrorCode.QUERY_INTERRUPTED, "interrupted amid a schema change", e);
        } finally {
            lock.unlock();
        }
    }

    /// As {@link #commit}, for a schema change, which the log itself has recorded at the next
    /// commit number.
    public long commitLogged(LongFunction<WriteSet> publish, OptionalInt heir, VersionVector gone) {
        long deadlineNanos =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.waitMillis());
        return stable(enqueue(() -> path.commitLogged(publish, heir, gone), 0), deadlineNanos);
    }

    /// What can leave at once is given to the log and the group by the commit's own thread: another
    /// would have to be woken for it. The log first, which takes longer.
    private long stable(Numbered commit, long deadlineNanos) {
        beginNext(commit.append());
        List<WriteSet> batch = commit.batch();
        if (batch != null) {
            try {
                send(batch);
            } catch (RuntimeException | Error e) {
                stopSending(e);
            }
        }
        await(commit.commitNumber(), deadlineNanos);
        return commit.commitNumber();
    }

    private Numbered enqueue(LongSupplier commit, long bytes) {
        enter(bytes);
        lock.lock();
        try {
            if (!brokenBecause.isEmpty()) {
                underWay.release();
                bytesUnderWay.left(bytes);
                checkWorking();
            }
            long commitNumber = commit.getAsLong();
            bytesUnderWay.numbered(commitNumber, bytes);
            Append append = takeToAppend();
            if (idle) {
                toLog.signal();
            }
            return new Numbered(commitNumber, append, path.takeToBroadcast());
        } catch (RuntimeException e) {
            if (brokenBecause.isEmpty()) {
                stop("a commit could not be published: " + e.getMessage(), e);
            }
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /// No commit of the class becomes stable here any more.
    public void stop(String reason, Throwable cause) {
        LOG.error(
                "no commit of {} becomes stable on this replica any more: {}",
                conflictClass,
                reason,
                cause);
        lock.lock();
        try {
            brokenBecause = reason;
            wakeAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String brokenBecause() {
        return brokenBecause;
    }

    /// Acknowledged by a replica, cumulatively.
    public void received(String replica, long term, long commitNumber, int parts) {
        change(path -> path.sequence().received(replica, term, commitNumber, parts));
    }

    /// Returns when a replica holds everything up to a commit, which is settled: what it did not
    /// receive itself it need not log again as an heir. Or when the commits wait for it no more,
    /// when none becomes stable here any more, or after this time.
    void awaitHeldBy(String replica, long commitNumber, long limitMillis) {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
        lock.lock();
        try {
            long remaining = deadlineNanos - System.nanoTime();
            while (!path.heldBy(replica, commitNumber)
                    && sequence.inSync().contains(replica)
                    && brokenBecause.isEmpty()
                    && remaining > 0) {
                advanced.awaitNanos(remaining);
                remaining = deadlineNanos - System.nanoTime();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(
                    ErrorCode.QUERY_INTERRUPTED, "interrupted while entering the in-sync set", e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public <T> T ask(Function<CommitPath, T> question) {
        lock.lock();
        try {
            return question.apply(path);
        } finally {
            lock.unlock();
        }
    }

    ConflictClass conflictClass() {
        return conflictClass;
    }

    public long stable() {
        return ask(path -> path.sequence().stable());
    }

    /// The last commit number given, stable or not.
    public long assigned() {
        return ask(path -> path.sequence().assigned());
    }

    /// What a transaction waits for that has only read: when its locks are released, whatever it
    /// may have seen has its number.
    public void awaitAllStable() {
        awaitAllStable(settings.waitMillis());
    }

    /// Returns when this number's commit is stable, and all before it.
    void awaitStable(long commitNumber) {
        await(
                commitNumber,
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.waitMillis()));
    }

    void awaitAllStable(long limitMillis) {
        await(assigned(), System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis));
    }

    /// What the class's next master waits for, the question for a transaction's outcome, which the
    /// log answers, and a schema change before it takes its number, which the log has recorded
    /// itself.
    public void awaitAllSettled() {
        awaitSettled(assigned());
    }

    void awaitSettled(long commitNumber) {
        await(
                () -> sequence.settled() >= commitNumber,
                commitNumber,
                advanced,
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.waitMillis()));
    }

    /// As {@link #awaitAllSettled}, however long the log is away.
    ///
    /// @throws QuireException when nothing of the class is logged here any more
    public void awaitAllSettledAtLast() {
        while (true) {
            try {
                awaitAllSettled();
                return;
            } catch (QuireException e) {
                if (!brokenBecause.isEmpty() || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                LOG.info("{} is not served yet: {}", conflictClass, e.getMessage());
            }
        }
    }

    /// From when this returns nothing more is acknowledged, stable or not. What waits to be logged
    /// still is.
    public void refuse() {
        lock.lock();
        try {
            refuses = true;
            if (brokenBecause.isEmpty()) {
                brokenBecause = STOPPED;
            }
            wakeAll();
        } finally {
            lock.unlock();
        }
    }

    /// Bytes of write sets multicast so far.
    public long bytesSent() {
        return bytesSent.sum();
    }

    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
        lock.lock();
        try {
            brokenBecause = STOPPED;
            wakeAll();
        } finally {
            lock.unlock();
        }
    }

    /// Acknowledges nothing more, and returns when what was acknowledged is in the log, if it takes
    /// it soon. With durability `logged` it is there.
    void retire() {
        long deadlineNanos = System.nanoTime() + LAST_WORDS_NANOS;
        lock.lock();
        try {
            boolean working = brokenBecause.isEmpty();
            brokenBecause = STOPPED;
            wakeAll();
            while (working && !path.isAllLogged()) {
                long remaining = deadlineNanos - System.nanoTime();
                if (remaining <= 0) {
                    LOG.warn(
                            "{} ends with {} acknowledged commits that are not logged; its heir"
                                    + " logs them",
                            conflictClass,
                            path.acknowledged() - sequence.logged());
                    return;
                }
                advanced.awaitNanos(remaining);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private void enter(long bytes) {
        boolean one = false;
        boolean room = false;
        try {
            one = underWay.tryAcquire(settings.waitMillis(), TimeUnit.MILLISECONDS);
            room = one && bytesUnderWay.enter(bytes, settings.waitMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(
                    ErrorCode.QUERY_INTERRUPTED, "interrupted before the commit", e);
        } finally {
            if (one && !room) {
                underWay.release();
            }
        }
        if (!room) {
            throw unavailable("too many commits wait to become stable, or to be logged");
        }
    }

    private void await(long commitNumber, long deadlineNanos) {
        Waiting mine = new Waiting(commitNumber, lock.newCondition());
        lock.lock();
        try {
            waiting.add(mine);
            await(
                    () -> sequence.stable() >= commitNumber,
                    commitNumber,
                    mine.stable(),
                    deadlineNanos);
        } finally {
            waiting.remove(mine);
            lock.unlock();
        }
    }

    /// @param signalled when it may be reached
    private void await(
            BooleanSupplier reached, long commitNumber, Condition signalled, long deadlineNanos) {
        lock.lock();
        try {
            while (!reached.getAsBoolean()) {
                checkWorking();
                long remaining = deadlineNanos - System.nanoTime();
                if (remaining <= 0) {
                    throw unavailable(
                            "commit %d is not stable: logged to %d, in sync %s"
                                    .formatted(commitNumber, sequence.logged(), sequence.inSync()));
                }
                signalled.awaitNanos(remaining);
            }
            if (refuses) {
                checkWorking();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(
                    ErrorCode.QUERY_INTERRUPTED, "interrupted, the commit's outcome is open", e);
        } finally {
            lock.unlock();
        }
    }

    /// Whatever they wait for, it will not come, or not here.
    private void wakeAll() {
        advanced.signalAll();
        waiting.forEach(w -> w.stable().signal());
    }

    /// A place under way is free again when its commit is settled, not when its client gives up
    /// waiting.
    @Override
    public void change(Consumer<CommitPath> decision) {
        lock.lock();
        try {
            long before = Math.max(inherited, sequence.settled());
            decision.accept(path);
            underWay.release((int) Math.max(0, sequence.settled() - before));
            bytesUnderWay.settled(sequence.settled());
            for (Waiting next = waiting.peek();
                    next != null && next.commitNumber() <= sequence.stable();
                    next = waiting.peek()) {
                waiting.remove().stable().signal();
            }
            advanced.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void broadcast() {
        try {
            while (!closed) {
                send(awaitBroadcast());
            }
        } catch (InterruptedException e) {
            LOG.debug("broadcast of {} ends", conflictClass);
        } catch (RuntimeException | Error e) {
            stopSending(e);
        }
    }

    private void stopSending(Throwable e) {
        stop("write sets cannot be multicast: " + e.getMessage(), e);
    }

    private List<WriteSet> awaitBroadcast() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            List<WriteSet> batch = path.takeToBroadcast();
            while (batch == null) {
                toBroadcast.await();
                batch = path.takeToBroadcast();
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /// By whoever has taken the batch, and so nobody else until it has gone.
    private void send(List<WriteSet> batch) {
        List<byte[]> encoded = new ArrayList<>(batch.size());
        for (WriteSet writeSet : batch) {
            encoded.add(writeSet.encode());
        }
        long settled = ask(path -> path.sequence().settled());
        byte[] message = new GroupMessage.WriteSets(settled, encoded).encode();
        multicast.accept(message);
        bytesSent.add(message.length);
        change(path -> {
            path.multicast(batch);
            if (path.hasToBroadcast()) {
                toBroadcast.signal();
            }
        });
    }

    private @Nullable Append takeToAppend() {
        return closed ? null : path.takeToLog();
    }

    /// Gives the log what this has taken for it, and what has gathered when that is answered, and
    /// so on.
    private void begin(Append append) {
        boolean begun = false;
        try {
            begun =
                    log.begin(
                            conflictClass,
                            term,
                            append.stable(),
                            append.records(),
                            onDisk -> ended(append, onDisk));
        } catch (RuntimeException | Error e) { // who waits for it meets it, too
            LOG.debug("an append of {} could not be begun", conflictClass, e);
        }
        if (!begun) {
            isOverdue(append);
        }
    }

    /// On the thread that brings the answer, and those of others: it does not wait while a large
    /// commit is being published.
    private void ended(Append append, OptionalLong onDisk) {
        if (!lockSoon()) {
            Thread.ofVirtual()
                    .name("answered " + conflictClass)
                    .start(() -> beginNext(answered(append, onDisk)));
            return;
        }
        Append next;
        try {
            next = answered(append, onDisk);
        } finally {
            lock.unlock();
        }
        beginNext(next);
    }

    private boolean lockSoon() {
        try {
            return lock.tryLock(SOON_MICROS, TimeUnit.MICROSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private @Nullable Append answered(Append append, OptionalLong onDisk) {
        if (onDisk.isEmpty()) {
            isOverdue(append);
            return null;
        }
        try {
            return logEnds(onDisk.getAsLong());
        } catch (RuntimeException | Error e) {
            stop(String.valueOf(e.getMessage()), e);
            return null;
        }
    }

    /// Not under the lock: it may be refused at once.
    private void beginNext(@Nullable Append next) {
        if (next != null) {
            begin(next);
        }
    }

    private void isOverdue(Append append) {
        lock.lock();
        try {
            overdue = append;
            toLog.signal();
        } finally {
            lock.unlock();
        }
    }

    /// An append is answered.
    ///
    /// @return the next one, which whoever calls is to begin; null for none
    private @Nullable Append logEnds(long onDisk) {
        lock.lock();
        try {
            change(path -> path.logEnds(onDisk));
            if (path.hasToBroadcast()) {
                toBroadcast.signal();
            }
            return takeToAppend();
        } finally {
            lock.unlock();
        }
    }

    private void writeLog() {
        try {
            while (!closed) {
                append(awaitAppend());
            }
        } catch (InterruptedException e) {
            LOG.debug("log writer of {} ends", conflictClass);
        } catch (RuntimeException | Error e) {
            stop(String.valueOf(e.getMessage()), e);
        }
    }

    /// What cannot be begun without waiting, and what nobody has begun: what another master left,
    /// and, soon after the last commit, that everything is stable.
    private Append awaitAppend() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long tellNanos = TimeUnit.MILLISECONDS.toNanos(TELL_STABLE_AFTER_MILLIS);
            while (true) {
                Append waited = overdue;
                if (waited != null) {
                    overdue = null;
                    return waited;
                }
                Append left = takeToAppend();
                if (left != null) {
                    return left;
                }
                if (!path.hasToTell()) {
                    idle = true;
                    toLog.await();
                    idle = false;
                } else if (tellNanos > 0) {
                    tellNanos = toLog.awaitNanos(tellNanos);
                } else {
                    Append told = path.takeToTell();
                    if (told != null) {
                        return told;
                    }
                    tellNanos = TimeUnit.MILLISECONDS.toNanos(TELL_STABLE_AFTER_MILLIS);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void append(Append append) throws InterruptedException {
        for (boolean done = false; !done && !closed; ) {
            try {
                long onDisk = log.append(conflictClass, term, append.stable(), append.records());
                done = true;
                beginNext(logEnds(onDisk));
            } catch (RpcException e) {
                LOG.debug("{} is to be logged still", conflictClass, e);
                Thread.sleep(settings.retryMillis());
            }
        }
    }

    private void checkWorking() {
        if (!brokenBecause.isEmpty()) {
            throw unavailable(brokenBecause);
        }
    }

    private QuireException unavailable(String why) {
        return new QuireException(
                ErrorCode.TIER_UNAVAILABLE, "class " + conflictClass + " cannot commit: " + why);
    }
}
