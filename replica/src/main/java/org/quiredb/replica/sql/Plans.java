package org.quiredb.replica.sql;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.mysql.ResultSetEncoder;
import org.quiredb.replica.binding.BoundStatement;
import org.quiredb.replica.binding.KeptPlan;
import org.quiredb.replica.engine.StatementMemory;
import org.quiredb.replica.execution.NotHereException;
import org.quiredb.replica.execution.ReadPlan;
import org.quiredb.replica.page.PageAccess;

/// Runs plain reads by plans, and counts what ran how.
///
/// Threads: any.
final class Plans {
    /// Encoders that are kept for the next statement; a power of two.
    private static final int ENCODERS = 64;

    private final boolean used;
    private final StatementMemory memory;
    private final LongAdder planned = new LongAdder();
    private final LongAdder others = new LongAdder();
    private final AtomicReferenceArray<@Nullable ResultSetEncoder> encoders =
            new AtomicReferenceArray<>(ENCODERS);

    Plans(boolean used, StatementMemory memory) {
        this.used = used;
        this.memory = memory;
    }

    boolean used() {
        return used;
    }

    /// Null where H2 has to run it: nothing was given to `parts` then.
    @Nullable ReplicaReply run(
            BoundStatement bound, PageAccess access, StatementCall call, Consumer<byte[]> parts) {
        KeptPlan kept = bound.plan();
        ReadPlan plan = kept.plan();
        if (plan == null) {
            return null;
        }
        StopSignal.current().check();
        int place = (int) (Thread.currentThread().threadId() & (ENCODERS - 1));
        ResultSetEncoder encoder = encoders.getAndSet(place, null);
        if (encoder == null) {
            encoder = new ResultSetEncoder(part -> {}, false, 0);
        }
        encoder.restart(parts, call.binaryRows(), call.statusFlags());
        try (StatementMemory.Account account = memory.open()) {
            plan.run(access, call.values(), account::keeps, encoder);
            ReplicaReply reply = new ReplicaReply.Rows(encoder.finish());
            planned.increment();
            kept.ran();
            return reply;
        } catch (NotHereException e) {
            kept.refused();
            return null;
        } finally {
            encoder.restart(part -> {}, false, 0);
            encoders.lazySet(place, encoder);
        }
    }

    void ranByH2() {
        others.increment();
    }

    long planned() {
        return planned.sum();
    }

    long others() {
        return others.sum();
    }
}
