package org.quiredb.logger.log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.quiredb.common.writeset.CommitRecord;

/// The newest records of a class, so that an applier that keeps up need not read the log back.
///
/// Invariant: the commit numbers held are contiguous. Bound: the oldest are dropped past a number
/// of records and bytes. Threads: any; guarded by lock.
public final class RecordWindow {
    private static final int MAXIMUM_RECORDS = 4096;
    private static final long MAXIMUM_BYTES = 16L << 20;

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<CommitRecord> records = new ArrayDeque<>();
    private long sizeBytes;

    /// Adds records that are on disk; one that does not follow the last empties the window first.
    public void add(List<CommitRecord> stored) {
        lock.lock();
        try {
            for (CommitRecord record : stored) {
                if (!records.isEmpty()
                        && record.commitNumber() != records.getLast().commitNumber() + 1) {
                    records.clear();
                    sizeBytes = 0;
                }
                records.addLast(record);
                sizeBytes += record.sizeBytes();
            }
            while (records.size() > MAXIMUM_RECORDS
                    || (sizeBytes > MAXIMUM_BYTES && records.size() > 1)) {
                sizeBytes -= records.removeFirst().sizeBytes();
            }
        } finally {
            lock.unlock();
        }
    }

    public void clear() {
        lock.lock();
        try {
            records.clear();
            sizeBytes = 0;
        } finally {
            lock.unlock();
        }
    }

    /// Whether nothing was logged, as far as this logger knows.
    public boolean isEmpty() {
        lock.lock();
        try {
            return records.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /// The records from one commit number to another, inclusive, as far as they are held; empty
    /// when the first is not.
    public List<CommitRecord> read(long from, long to) {
        lock.lock();
        try {
            if (records.isEmpty() || records.getFirst().commitNumber() > from) {
                return List.of();
            }
            List<CommitRecord> found = new ArrayList<>();
            for (CommitRecord record : records) {
                if (record.commitNumber() > to) {
                    break;
                }
                if (record.commitNumber() >= from) {
                    found.add(record);
                }
            }
            return found;
        } finally {
            lock.unlock();
        }
    }
}
