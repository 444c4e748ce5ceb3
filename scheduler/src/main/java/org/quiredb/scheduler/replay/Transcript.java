package org.quiredb.scheduler.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.InsertId;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.VersionVector;

/// What an open update transaction has run so far, and what its client saw of it.
///
/// Threads: one at a time, its session's.
public final class Transcript {
    /// @param snapshot that it read, null for the newest state
    /// @param result see {@link ResultSum}
    public record Step(StatementCall call, @Nullable VersionVector snapshot, long result) {}

    private static final int STEP_BYTES = 100;
    private static final int VALUE_BYTES = 24;

    private final ReplayLimits limits;
    private final long beganMillis;
    private final List<Step> steps = new ArrayList<>();
    private long bytes;
    private boolean complete;

    public Transcript(ReplayLimits limits, long nowMillis) {
        this.limits = limits;
        beganMillis = nowMillis;
        complete = limits.statements() > 0;
    }

    /// A statement has been answered. One that gave up waiting for a lock has told its client
    /// nothing of the data and left nothing behind: it is not to be run again.
    public void add(StatementCall call, ReplicaReply reply, long result, long nowMillis) {
        add(call, null, reply, result, nowMillis);
    }

    /// As {@link #add}, of a read of a snapshot.
    public void add(
            StatementCall call,
            @Nullable VersionVector snapshot,
            ReplicaReply reply,
            long result,
            long nowMillis) {
        if (reply instanceof ReplicaReply.Failed failed
                && (failed.number() == ErrorCode.LOCK_WAIT_TIMEOUT.number()
                        || failed.number() == ErrorCode.LOCK_NOT_AT_ONCE.number())
                && failed.packets() == 0) {
            return;
        }
        if (!complete) {
            return;
        }
        bytes += size(call);
        if (steps.size() == limits.statements() || bytes > limits.bytes() || isOld(nowMillis)) {
            complete = false;
            steps.clear();
            return;
        }
        long insertId =
                reply instanceof ReplicaReply.Updated u && u.origin() == InsertId.TABLE
                        ? u.lastInsertId()
                        : 0;
        steps.add(new Step(call.withInsertId(insertId), snapshot, result));
    }

    /// What is to be run again, in order; empty when the transaction cannot be replayed.
    public Optional<List<Step>> steps(long nowMillis) {
        return complete && !isOld(nowMillis) ? Optional.of(List.copyOf(steps)) : Optional.empty();
    }

    private boolean isOld(long nowMillis) {
        return nowMillis - beganMillis > limits.ageMillis();
    }

    private static long size(StatementCall call) {
        long size = STEP_BYTES + 2L * call.sql().length();
        for (SqlValue value : call.values()) {
            size +=
                    switch (value) {
                        case SqlValue.StringValue(String text) -> VALUE_BYTES + 2L * text.length();
                        case SqlValue.DecimalValue(String text) -> VALUE_BYTES + 2L * text.length();
                        case SqlValue.BytesValue(byte[] given) -> VALUE_BYTES + given.length;
                        default -> VALUE_BYTES;
                    };
        }
        return size;
    }
}
