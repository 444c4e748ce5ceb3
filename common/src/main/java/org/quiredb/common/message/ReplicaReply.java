package org.quiredb.common.message;

import java.util.List;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// How a replica's answer ends.
public sealed interface ReplicaReply {
    /// A result set went out, complete: that many MySQL packets, numbered from 1, as parts.
    ///
    /// @param vector of an autocommit statement with locks, what it may have seen; else empty
    record Rows(long packets, VersionVector vector) implements ReplicaReply {
        public Rows(long packets) {
            this(packets, VersionVector.EMPTY);
        }
    }

    /// A statement of an update transaction ran; of an autocommit statement the vector is its
    /// commit's, else empty.
    ///
    /// @param lastInsertId as the OK packet shows it
    /// @param origin where that comes from
    /// @param packets of a result that shows its rows and stands for the OK packet, gone out as
    ///   parts; 0 for none
    /// @param conditions its warnings, {@link Condition#MOST} at most
    record Updated(
            long affectedRows,
            long lastInsertId,
            InsertId origin,
            int warnings,
            String info,
            VersionVector vector,
            long catalogueVersion,
            long packets,
            List<Condition> conditions)
            implements ReplicaReply {
        public Updated(
                long affectedRows,
                long lastInsertId,
                int warnings,
                String info,
                VersionVector vector,
                long catalogueVersion) {
            this(
                    affectedRows,
                    lastInsertId,
                    lastInsertId == 0 ? InsertId.CLIENT : InsertId.TABLE,
                    warnings,
                    info,
                    vector,
                    catalogueVersion,
                    0,
                    List.of());
        }

        /// The same, as a commit.
        public Updated at(VersionVector committed, long catalogue) {
            return new Updated(
                    affectedRows,
                    lastInsertId,
                    origin,
                    warnings,
                    info,
                    committed,
                    catalogue,
                    packets,
                    conditions);
        }

        /// The same, with a result of that many packets.
        public Updated showing(long result) {
            return new Updated(
                    affectedRows,
                    lastInsertId,
                    origin,
                    warnings,
                    info,
                    vector,
                    catalogueVersion,
                    result,
                    conditions);
        }

        /// The same, of a statement with warnings.
        public Updated warning(List<Condition> most) {
            return new Updated(
                    affectedRows,
                    lastInsertId,
                    origin,
                    warnings,
                    info,
                    vector,
                    catalogueVersion,
                    packets,
                    most);
        }
    }

    /// Where the id of a statement's OK packet comes from.
    enum InsertId {
        /// There is none, or the client gave it: LAST_INSERT_ID() stays what it was.
        CLIENT,
        /// The table generated it.
        TABLE,
        /// The statement said LAST_INSERT_ID(id).
        FUNCTION
    }

    /// The commit is stable.
    record Committed(VersionVector vector, long catalogueVersion) implements ReplicaReply {}

    /// @param seen what the transaction may have seen
    record RolledBack(VersionVector seen) implements ReplicaReply {
        public RolledBack() {
            this(VersionVector.EMPTY);
        }
    }

    /// Whether a transaction is committed nobody knows any more.
    record Forgotten() implements ReplicaReply {}

    /// The client's error. `packets` of a result set may have gone out before it.
    ///
    /// @param transactionOver the whole transaction has been rolled back, not only the statement
    /// @param seen what a transaction that is over may have seen, the error itself included
    record Failed(
            int number,
            String sqlState,
            String message,
            boolean transactionOver,
            long packets,
            VersionVector seen)
            implements ReplicaReply {
        public Failed(
                int number,
                String sqlState,
                String message,
                boolean transactionOver,
                long packets) {
            this(number, sqlState, message, transactionOver, packets, VersionVector.EMPTY);
        }

        public Failed seeing(VersionVector vector) {
            return new Failed(number, sqlState, message, transactionOver, packets, vector);
        }
    }

    /// Not an error of the statement: the scheduler is to act on the reason, and the client sees
    /// nothing of it.
    record Refused(Reason reason, long epoch, String detail) implements ReplicaReply {}

    enum Reason {
        /// The tag names write sets that have not arrived within the wait.
        NOT_RECEIVED(ErrorCode.TIER_UNAVAILABLE),
        /// The tag's versions are reclaimed: run again with a fresh one.
        VERSION_RECLAIMED(ErrorCode.SNAPSHOT_TOO_OLD),
        /// The request's epoch is old, or newer than the replica's.
        OTHER_EPOCH(ErrorCode.TIER_UNAVAILABLE),
        NOT_SERVING(ErrorCode.TIER_UNAVAILABLE),
        NOT_MASTER(ErrorCode.TIER_UNAVAILABLE),
        /// The in-memory tier cannot run this with MySQL's exact meaning: run it on the backend.
        CANNOT_RUN_HERE(ErrorCode.NOT_SUPPORTED_YET),
        /// A schema change has made the table anew since the tag.
        TABLE_CHANGED(ErrorCode.TABLE_CHANGED),
        /// The transaction is not open here: a lost connection has taken it with it, or it was
        /// begun on a master before this one. It is not committed.
        NOT_OPEN(ErrorCode.DEADLOCK),
        /// The scheduler's epoch, not the replica's, is old.
        OTHER_SCHEDULERS(ErrorCode.TIER_UNAVAILABLE),
        /// Who wants to be a member has left the master's group: it must join anew.
        NOT_IN_GROUP(ErrorCode.TIER_UNAVAILABLE);

        private final ErrorCode amidRows;

        Reason(ErrorCode amidRows) {
            this.amidRows = amidRows;
        }
    }

    /// Payloads of MySQL column definition packets for parameters and columns.
    record Described(List<byte[]> parameters, List<byte[]> columns) implements ReplicaReply {}

    record StatusReply(NodeStatus status) implements ReplicaReply {}

    record CatalogueReply(long version, List<String> schemas, List<CatalogueEntry> tables)
            implements ReplicaReply {}

    /// Nothing was done: a schema change is of this class, so it is for that class's master.
    record OfClass(ConflictClass conflictClass) implements ReplicaReply {}

    record DigestReply(long rows, long digest) implements ReplicaReply {}

    /// The parts are complete, or what was asked is done.
    record Done() implements ReplicaReply {}

    /// The rows are complete, as of this commit of their class.
    record RowsAt(long commitNumber) implements ReplicaReply {}

    /// The answer to a scheduler that knows an older record of the schedulers than the replica: to
    /// be used when it knows this one.
    record Outdated(long epoch, ReplicaReply reply) implements ReplicaReply {}

    /// What is to be said once packets of the statement's result have gone out: nobody else can run
    /// it from its beginning any more, so that what refuses it is an error of its client's.
    default ReplicaReply after(long packets) {
        return switch (this) {
            case Failed f ->
                    new Failed(f.number, f.sqlState, f.message, f.transactionOver, packets, f.seen);
            case Refused(Reason reason, long epoch, String detail) when packets > 0 ->
                    new Failed(
                            reason.amidRows.number(),
                            reason.amidRows.sqlState(),
                            "the statement broke off amid its result: " + detail,
                            false,
                            packets);
            default -> this;
        };
    }

    default byte[] encode() {
        ByteWriter w = new ByteWriter(64);
        encode(w);
        return w.toByteArray();
    }

    private void encode(ByteWriter w) {
        switch (this) {
            case Outdated(long epoch, ReplicaReply reply) -> reply.encode(w.u8(13).varint(epoch));
            case Rows(long packets, VersionVector vector) -> {
                w.u8(1).varint(packets);
                vector.encode(w);
            }
            case Updated u -> {
                w.u8(2)
                        .varint(u.affectedRows)
                        .varint(u.lastInsertId)
                        .u8(u.origin.ordinal())
                        .varint(u.warnings)
                        .string(u.info);
                u.vector.encode(w);
                w.varint(u.catalogueVersion)
                        .varint(u.packets)
                        .list(u.conditions, (x, c) -> c.encode(x));
            }
            case Committed(VersionVector vector, long catalogueVersion) -> {
                vector.encode(w.u8(3));
                w.varint(catalogueVersion);
            }
            case RolledBack(VersionVector seen) -> seen.encode(w.u8(4));
            case Failed f -> {
                w.u8(5)
                        .varint(f.number)
                        .string(f.sqlState)
                        .string(f.message)
                        .bool(f.transactionOver)
                        .varint(f.packets);
                f.seen.encode(w);
            }
            case Refused(Reason reason, long epoch, String detail) ->
                    w.u8(6).u8(reason.ordinal()).varint(epoch).string(detail);
            case Described(List<byte[]> parameters, List<byte[]> columns) ->
                    w.u8(7).list(parameters, ByteWriter::bytes).list(columns, ByteWriter::bytes);
            case StatusReply(NodeStatus status) -> status.encode(w.u8(8));
            case CatalogueReply(long version, List<String> schemas, List<CatalogueEntry> tables) ->
                    w.u8(9)
                            .varint(version)
                            .list(schemas, ByteWriter::string)
                            .list(tables, (x, t) -> t.encode(x));
            case DigestReply(long rows, long digest) -> w.u8(10).varint(rows).i64(digest);
            case Done() -> w.u8(11);
            case Forgotten() -> w.u8(14);
            case RowsAt(long commitNumber) -> w.u8(15).varint(commitNumber);
            case OfClass(ConflictClass conflictClass) -> conflictClass.encode(w.u8(12));
        }
    }

    static ReplicaReply decode(byte[] message) {
        ByteReader r = new ByteReader(message);
        ReplicaReply reply = decode(r);
        r.finish();
        return reply;
    }

    private static ReplicaReply decode(ByteReader r) {
        int kind = r.u8();
        return switch (kind) {
            case 13 -> new Outdated(r.varint(), decode(r));
            case 1 -> new Rows(r.varint(), VersionVector.decode(r));
            case 2 ->
                    new Updated(
                            r.varint(),
                            r.varint(),
                            origin(r.u8()),
                            r.count(0xFFFF),
                            r.string(),
                            VersionVector.decode(r),
                            r.varint(),
                            r.varint(),
                            r.list(Condition::decode));
            case 3 -> new Committed(VersionVector.decode(r), r.varint());
            case 4 -> new RolledBack(VersionVector.decode(r));
            case 5 ->
                    new Failed(
                            r.count(0xFFFF),
                            r.string(),
                            r.string(),
                            r.bool(),
                            r.varint(),
                            VersionVector.decode(r));
            case 6 -> new Refused(reason(r.u8()), r.varint(), r.string());
            case 7 -> new Described(r.list(ByteReader::bytes), r.list(ByteReader::bytes));
            case 8 -> new StatusReply(NodeStatus.decode(r));
            case 9 ->
                    new CatalogueReply(
                            r.varint(), r.list(ByteReader::string), r.list(CatalogueEntry::decode));
            case 10 -> new DigestReply(r.varint(), r.i64());
            case 11 -> new Done();
            case 14 -> new Forgotten();
            case 15 -> new RowsAt(r.varint());
            case 12 -> new OfClass(ConflictClass.decode(r));
            default -> throw new MangledMessageException("replica reply of kind " + kind);
        };
    }

    private static InsertId origin(int ordinal) {
        if (ordinal >= InsertId.values().length) {
            throw new MangledMessageException("insert id of origin " + ordinal);
        }
        return InsertId.values()[ordinal];
    }

    private static Reason reason(int ordinal) {
        if (ordinal >= Reason.values().length) {
            throw new MangledMessageException("refusal for reason " + ordinal);
        }
        return Reason.values()[ordinal];
    }
}
