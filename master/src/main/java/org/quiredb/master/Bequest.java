package org.quiredb.master;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.quiredb.common.message.LoggerReply.TopologyReply;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.master.log.RemoteQueryLog;
import org.quiredb.master.role.Remainder;
import org.quiredb.master.role.Remainder.Part;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Hands in what only this replica may hold when its life ends: the edge of a {@link Remainder},
/// which asks the logger until nothing remains.
///
/// Threads: one.
final class Bequest {
    private static final Logger LOG = LoggerFactory.getLogger(Bequest.class);
    private static final long RETRY_MILLIS = 200;

    private final String self;
    private final Remainder remainder;
    private final RemoteQueryLog log;
    private final BooleanSupplier over;
    private String told = "";

    /// @param over whether the process ends, with all that it holds
    Bequest(String self, Remainder remainder, RemoteQueryLog log, BooleanSupplier over) {
        this.self = self;
        this.remainder = remainder;
        this.log = log;
        this.over = over;
    }

    /// Returns when nobody needs what is held here. The replica takes nothing in any more.
    void handIn() throws InterruptedException {
        while (!over.getAsBoolean()) {
            try {
                if (isElsewhere(log.inForce(true))) {
                    return;
                }
            } catch (RuntimeException e) { // whatever it is, what is held here is not let go of
                tell(String.valueOf(e.getMessage()));
            }
            Thread.sleep(RETRY_MILLIS);
        }
    }

    private boolean isElsewhere(TopologyReply reply) {
        boolean elsewhere = true;
        for (Part part : remainder.of(reply)) {
            elsewhere &= isHandedIn(part);
        }
        return elsewhere;
    }

    private boolean isHandedIn(Part part) {
        return switch (part) {
            case Part.BeingLogged _ -> false;
            case Part.Missing(ClassPosition held, long term, List<CommitRecord> records) -> {
                long end = log.append(held.conflictClass(), term, 0, records);
                LOG.info(
                        "has {} logged up to {} of {}",
                        held.conflictClass(),
                        end,
                        held.commitNumber());
                yield end >= held.commitNumber();
            }
            case Part.NotKept(ConflictClass c, long logEnd) -> {
                tell("%s ends at %d in the log, and that is not kept here".formatted(c, logEnd));
                yield false;
            }
        };
    }

    /// Once, not at each try.
    private void tell(String reason) {
        if (!told.equals(reason)) {
            told = reason;
            LOG.warn("{} keeps what it holds until it is elsewhere: {}", self, reason);
        }
    }
}
