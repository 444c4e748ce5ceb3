package org.quiredb.common.message;

import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// What a scheduler's status port is asked. Each is answered by one {@link SchedulerReply}.
///
/// A request begins with the version of this format, because the asker is a command that may have
/// been installed at another time than the tier.
public sealed interface SchedulerRequest {
    int FORMAT = 3;

    /// The scheduler's own status.
    record Status() implements SchedulerRequest {}

    /// Every node that the scheduler knows, itself first.
    record Cluster() implements SchedulerRequest {}

    /// Keeps the current tag readable on every replica until Unpin, the end of the asker's
    /// connection, or the end of the lease. Answered by Pinned.
    record Pin() implements SchedulerRequest {}

    /// Lets go of a pin of the same connection; always succeeds.
    record Unpin(long pin) implements SchedulerRequest {}

    /// From another scheduler. Answered by Noted, or by OtherSchedulers.
    ///
    /// @param record of the schedulers, as the sender knows it
    /// @param sender its name
    /// @param entering it has no tags yet, and asks what it must know before it has
    /// @param announced stable commits that somebody may be shown once every scheduler has noted
    ///   them
    /// @param shown of those, what every scheduler has noted
    /// @param catalogueVersion the newest that the sender has heard of
    /// @param locks of the sender's clients
    record Announce(
            Schedulers record,
            String sender,
            boolean entering,
            VersionVector announced,
            VersionVector shown,
            long catalogueVersion,
            TableLocks locks)
            implements SchedulerRequest {}

    /// From another scheduler, whose client has sent KILL for one of this one's. Answered by Done,
    /// or by Refused.
    ///
    /// @param anybodys else only a client of the user may be ended
    record Kill(int id, boolean statementOnly, boolean anybodys, String user)
            implements SchedulerRequest {}

    /// From another scheduler, whose client has changed accounts: they are to be read anew.
    /// Answered by Done once they are.
    record Accounts() implements SchedulerRequest {}

    /// From another scheduler, whose client has asked who is there. Answered by Processes.
    ///
    /// @param user whose clients only; empty for everybody's
    record Processes(String user) implements SchedulerRequest {}

    default byte[] encode() {
        ByteWriter w = new ByteWriter(16).u8(FORMAT);
        switch (this) {
            case Status() -> w.u8(1);
            case Cluster() -> w.u8(2);
            case Pin() -> w.u8(3);
            case Unpin(long pin) -> w.u8(4).varint(pin);
            case Announce a -> {
                a.record.encode(w.u8(5));
                a.announced.encode(w.string(a.sender).bool(a.entering));
                a.shown.encode(w);
                a.locks.encode(w.varint(a.catalogueVersion));
            }
            case Kill(int id, boolean statementOnly, boolean anybodys, String user) ->
                    w.u8(6).i32(id).bool(statementOnly).bool(anybodys).string(user);
            case Accounts() -> w.u8(7);
            case Processes(String user) -> w.u8(8).string(user);
        }
        return w.toByteArray();
    }

    static SchedulerRequest decode(byte[] message) {
        ByteReader r = new ByteReader(message);
        int format = r.u8();
        if (format != FORMAT) {
            throw new MangledMessageException(
                    "a scheduler request of format " + format + ", not " + FORMAT);
        }
        int kind = r.u8();
        SchedulerRequest request =
                switch (kind) {
                    case 1 -> new Status();
                    case 2 -> new Cluster();
                    case 3 -> new Pin();
                    case 4 -> new Unpin(r.varint());
                    case 5 ->
                            new Announce(
                                    Schedulers.decode(r),
                                    r.string(),
                                    r.bool(),
                                    VersionVector.decode(r),
                                    VersionVector.decode(r),
                                    r.varint(),
                                    TableLocks.decode(r));
                    case 6 -> new Kill(r.i32(), r.bool(), r.bool(), r.string());
                    case 7 -> new Accounts();
                    case 8 -> new Processes(r.string());
                    default ->
                            throw new MangledMessageException("scheduler request of kind " + kind);
                };
        r.finish();
        return request;
    }
}
