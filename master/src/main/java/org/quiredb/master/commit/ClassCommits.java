package org.quiredb.master.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.WriteSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Commits of one class: the threaded edge of its {@link CommitSequence}.
///
/// Threads: any; the sequence is guarded by `lock`. Two threads of its own, see the package.
public final class ClassCommits implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClassCommits.class);
    private static final long TELL_STABLE_AFTER_MILLIS = 5;

    private final ConflictClass conflictClass;
    private final long inherited;
    private final CommitSettings settings;
    private final CommitSequence sequence;
    private final QueryLog log;
    private final Consumer<byte[]> multicast;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition advanced = lock.newCondition();
    private final Semaphore underWay;
    private final BlockingQueue<WriteSet> toBroadcast;
    private final BlockingQueue<WriteSet> toLog;
    private final List<Thread> threads;
    private volatile String brokenBecause = "";
    private volatile boolean closed;
    private final long term;
    private final LongAdder bytesSent = new LongAdder();

    /// @param term the epoch in which this master took over
    /// @param last the last commit in the log
    /// @param inSync the replicas that are waited for from the first commit on
    public ClassCommits(
            ConflictClass conflictClass,
            long term,
            long last,
            Set<String> inSync,
            CommitSettings settings,
            QueryLog log,
            Consumer<byte[]> multicast) {
        this(
                conflictClass,
                term,
                new CommitSequence(conflictClass, term, last),
                List.of(),
                inSync,
                settings,
                log,
                multicast);
    }

    private ClassCommits(
            ConflictClass conflictClass,
            long term,
            CommitSequence sequence,
            List<WriteSet> unlogged,
            Set<String> inSync,
            CommitSettings settings,
            QueryLog log,
            Consumer<byte[]> multicast) {
        this.conflictClass = conflictClass;
        this.inherited = sequence.assigned();
        this.term = term;
        this.settings = settings;
        this.sequence = sequence;
        sequence.changeInSync(inSync, term);
        this.log = log;
        this.multicast = multicast;
        this.underWay = new Semaphore(settings.maximumUnderWay(), true);
        this.toBroadcast = new ArrayBlockingQueue<>(settings.maximumUnderWay());
        this.toLog = new ArrayBlockingQueue<>(settings.maximumUnderWay() + unlogged.size());
        toLog.addAll(unlogged);
        this.threads =
                List.of(
                        Thread.ofVirtual()
                                .name("broadcast " + conflictClass)
                                .start(this::broadcast),
                        Thread.ofVirtual().name("log " + conflictClass).start(this::writeLog));
    }

    /// The class of a master that is lost, at its last commit that a replica has received.
    ///
    /// @param logEnd the last commit in the log
    /// @param unlogged what comes after it
    static ClassCommits takenOver(
            ConflictClass conflictClass,
            long term,
            long last,
            long logEnd,
            List<WriteSet> unlogged,
            Set<String> inSync,
            CommitSettings settings,
            QueryLog log,
            Consumer<byte[]> multicast) {
        CommitSequence sequence = CommitSequence.takenOver(conflictClass, term, last);
        sequence.logged(logEnd);
        return new ClassCommits(
                conflictClass, term, sequence, unlogged, inSync, settings, log, multicast);
    }

    /// Commits: returns when the commit is stable.
    ///
    /// @param publish given the commit number, publishes the transaction's effects, releases its
    ///   locks and returns its write set; called once, under the sequence's lock
    /// @return the commit number
    public long commit(LongFunction<WriteSet> publish) {
        long deadlineNanos =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.waitMillis());
        long commitNumber = enqueue(publish, false);
        awaitNumber(commitNumber, deadlineNanos);
        return commitNumber;
    }

    /// As {@link #commit}, for a schema change, which the log itself has recorded at the next
    /// commit number.
    public long commitLogged(LongFunction<WriteSet> publish) {
        long deadlineNanos =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.waitMillis());
        long commitNumber = enqueue(publish, true);
        change(() -> sequence.logged(commitNumber));
        awaitNumber(commitNumber, deadlineNanos);
        return commitNumber;
    }

    private long enqueue(LongFunction<WriteSet> publish, boolean logged) {
        enter();
        lock.lock();
        try {
            if (!brokenBecause.isEmpty()) {
                underWay.release();
                checkWorking();
            }
            long commitNumber = sequence.next();
            WriteSet writeSet = published(publish, commitNumber);
            // Never full: no more commits are under way than they have room for.
            toBroadcast.add(writeSet);
            if (!logged) {
                toLog.add(writeSet);
            }
            return commitNumber;
        } finally {
            lock.unlock();
        }
    }

    private WriteSet published(LongFunction<WriteSet> publish, long commitNumber) {
        try {
            return publish.apply(commitNumber);
        } catch (RuntimeException e) {
            stop("a commit could not be published: " + e.getMessage(), e);
            throw e;
        }
    }

    /// No commit of the class becomes stable here any more.
    public void stop(String reason, RuntimeException cause) {
        LOG.error("commits of {} stop: {}", conflictClass, reason, cause);
        lock.lock();
        try {
            brokenBecause = reason;
            advanced.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Why no commit becomes stable here any more; empty while they do.
    String brokenBecause() {
        return brokenBecause;
    }

    /// Acknowledged by a replica, cumulatively.
    public void received(String replica, long term, long commitNumber) {
        change(() -> sequence.received(replica, term, commitNumber));
    }

    /// Waits for this replica's acknowledgements from now on.
    void waitFor(String replica) {
        change(() -> {
            Set<String> replicas = new TreeSet<>(sequence.inSync());
            replicas.add(replica);
            sequence.changeInSync(replicas, sequence.epoch());
        });
    }

    /// Returns when everything that is under way now is stable, and so held by this replica.
    ///
    /// @throws QuireException when that takes too long, or the replica is waited for no more
    void awaitHeldBy(String replica) {
        long deadlineNanos =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.waitMillis());
        lock.lock();
        try {
            long must = sequence.assigned();
            while (sequence.receivedBy(replica) < must || sequence.stable() < must) {
                long remaining = deadlineNanos - System.nanoTime();
                if (remaining <= 0 || !sequence.inSync().contains(replica)) {
                    throw unavailable(replica + " does not acknowledge " + must);
                }
                advanced.awaitNanos(remaining);
            }
            LOG.info("{} is in sync for {} from {} on", replica, conflictClass, must);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(
                    ErrorCode.QUERY_INTERRUPTED, "interrupted while entering the in-sync set", e);
        } finally {
            lock.unlock();
        }
    }

    /// The topology of this epoch is in force: commits wait for these replicas and no other.
    public void changed(long newEpoch, Set<String> replicas) {
        change(() -> {
            Set<String> gone = new TreeSet<>(sequence.inSync());
            gone.removeAll(replicas);
            gone.forEach(sequence::left);
            sequence.changeInSync(replicas, newEpoch);
        });
    }

    long term() {
        return term;
    }

    /// The last commit number that the group was given.
    long multicast() {
        lock.lock();
        try {
            return sequence.multicast();
        } finally {
            lock.unlock();
        }
    }

    /// In-sync replicas that have not received a commit.
    Set<String> behind(long commitNumber) {
        lock.lock();
        try {
            return sequence.behind(commitNumber);
        } finally {
            lock.unlock();
        }
    }

    public Set<String> inSync() {
        lock.lock();
        try {
            return sequence.inSync();
        } finally {
            lock.unlock();
        }
    }

    public long stable() {
        lock.lock();
        try {
            return sequence.stable();
        } finally {
            lock.unlock();
        }
    }

    /// The last commit number given, stable or not.
    public long assigned() {
        lock.lock();
        try {
            return sequence.assigned();
        } finally {
            lock.unlock();
        }
    }

    /// What a schema change, which the log has recorded itself, waits for before it takes its
    /// number.
    public void awaitAllStable() {
        awaitNumber(
                assigned(),
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.waitMillis()));
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
            brokenBecause = "this master is being stopped";
            advanced.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void enter() {
        try {
            if (!underWay.tryAcquire(settings.waitMillis(), TimeUnit.MILLISECONDS)) {
                throw unavailable("too many commits wait to become stable");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(
                    ErrorCode.QUERY_INTERRUPTED, "interrupted before the commit", e);
        }
    }

    private void awaitNumber(long commitNumber, long deadlineNanos) {
        lock.lock();
        try {
            while (sequence.stable() < commitNumber) {
                checkWorking();
                long remaining = deadlineNanos - System.nanoTime();
                if (remaining <= 0) {
                    throw unavailable(
                            "commit %d is not stable: logged to %d, in sync %s"
                                    .formatted(commitNumber, sequence.logged(), sequence.inSync()));
                }
                advanced.awaitNanos(remaining);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(
                    ErrorCode.QUERY_INTERRUPTED, "interrupted, the commit's outcome is open", e);
        } finally {
            lock.unlock();
        }
    }

    /// A place under way is free again when its commit is stable, not when its client gives up
    /// waiting.
    private void change(Runnable decision) {
        lock.lock();
        try {
            long before = Math.max(inherited, sequence.stable());
            decision.run();
            underWay.release((int) Math.max(0, sequence.stable() - before));
            advanced.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void broadcast() {
        List<WriteSet> batch = new ArrayList<>();
        try {
            while (!closed) {
                batch.clear();
                batch.add(toBroadcast.take());
                toBroadcast.drainTo(batch, settings.batch() - 1);
                byte[] message =
                        new GroupMessage.WriteSets(batch.stream().map(WriteSet::encode).toList())
                                .encode();
                multicast.accept(message);
                long last = batch.getLast().commitNumber();
                change(() -> sequence.multicast(last));
                bytesSent.add(message.length);
            }
        } catch (InterruptedException e) {
            LOG.debug("broadcast of {} ends", conflictClass);
        } catch (RuntimeException e) {
            stop("write sets cannot be multicast: " + e.getMessage(), e);
        }
    }

    private void writeLog() {
        List<WriteSet> batch = new ArrayList<>();
        long toldStable = 0;
        try {
            while (!closed) {
                takeForLog(batch, toldStable);
                long stable = stable();
                if (!batch.isEmpty() || stable > toldStable) {
                    append(batch, stable);
                    toldStable = stable;
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("log writer of {} ends", conflictClass);
        } catch (RuntimeException e) {
            stop(String.valueOf(e.getMessage()), e);
        }
    }

    /// While the log does not know yet that everything is stable it is to be told soon, with or
    /// without new records.
    private void takeForLog(List<WriteSet> batch, long toldStable) throws InterruptedException {
        batch.clear();
        WriteSet first =
                toldStable < assigned()
                        ? toLog.poll(TELL_STABLE_AFTER_MILLIS, TimeUnit.MILLISECONDS)
                        : toLog.take();
        if (first != null) {
            batch.add(first);
            toLog.drainTo(batch, settings.batch() - 1);
        }
    }

    private void append(List<WriteSet> batch, long stable) throws InterruptedException {
        List<CommitRecord> records = batch.stream().map(WriteSet::commitRecord).toList();
        for (boolean done = false; !done && !closed; ) {
            try {
                long onDisk = log.append(conflictClass, term, stable, records);
                // The log ends with a schema change that is under way and has no number here yet.
                change(() -> sequence.logged(Math.min(onDisk, sequence.assigned())));
                done = true;
            } catch (RpcException e) {
                LOG.warn("the query log does not answer, trying again: {}", e.getMessage());
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
