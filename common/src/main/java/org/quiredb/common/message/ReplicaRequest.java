package org.quiredb.common.message;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.SchemaNames;
import org.quiredb.common.topology.Member;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;
import org.quiredb.common.writeset.RowChanges;

/// What schedulers and other replicas ask of a replica. Each is answered by one {@link
/// ReplicaReply}; a result set's packets come before it as parts.
public sealed interface ReplicaRequest {
    long USUAL_WAIT = -1;

    /// A statement of a read-only transaction, to be run at the tag.
    ///
    /// @param lowWatermark no request with a tag below it will come from this scheduler any more
    record Read(long epoch, VersionVector tag, VersionVector lowWatermark, StatementCall call)
            implements ReplicaRequest {}

    /// A statement of an update transaction, which begins with its session's first one. Only the
    /// master of the class answers it. An autocommit statement is a transaction of its own and its
    /// reply says that it is committed.
    ///
    /// @param term of the class's master, as the scheduler knows it
    /// @param conflictClass of the tables that it names, of no name when it names none
    /// @param begins the transaction's first statement; another one finds it open, or is refused
    /// @param session names the client session within the asking scheduler's connection; its lower
    ///   half is the id of the client's connection, as KILL names it
    /// @param host the session in which a transaction of the same client holds whole tables, whose
    ///   locks are not in the way of one that begins; refused with NOT_OPEN where that has none
    ///   open; {@link #NO_HOST} for none
    /// @param transactionId chosen by the scheduler, unique over the tier's life
    /// @param lockWaitMillis that it waits for a lock; {@link #USUAL_WAIT} for the master's own
    ///   limit
    /// @param snapshot of a read that locks nothing; Rows then come with the tag that they are of,
    ///   which covers this one
    record Update(
            ConflictClass conflictClass,
            long term,
            long session,
            long host,
            long transactionId,
            boolean autocommit,
            boolean begins,
            VersionVector lowWatermark,
            long lockWaitMillis,
            @Nullable SnapshotAt snapshot,
            StatementCall call)
            implements ReplicaRequest {
        public static final long NO_HOST = 0;

        /// One that reads and changes the newest state.
        public Update(
                ConflictClass conflictClass,
                long term,
                long session,
                long transactionId,
                boolean autocommit,
                boolean begins,
                VersionVector lowWatermark,
                StatementCall call) {
            this(
                    conflictClass,
                    term,
                    session,
                    NO_HOST,
                    transactionId,
                    autocommit,
                    begins,
                    lowWatermark,
                    USUAL_WAIT,
                    null,
                    call);
        }
    }

    record Commit(ConflictClass conflictClass, long term, long session, long transactionId)
            implements ReplicaRequest {}

    /// Ends the session's transaction, if it has one; always succeeds.
    ///
    /// @param conflictClass of which the transaction may have seen something, here or on a lost
    ///   master
    /// @param told whether a client is to be told of the end next: then RolledBack comes with what
    ///   was seen, once that is stable, or Refused when the class is another's
    record Rollback(long session, ConflictClass conflictClass, boolean told)
            implements ReplicaRequest {}

    /// DDL: run on the backend, then on every replica, as a barrier in the class's commit order.
    ///
    /// @param transactionId asks for its Outcome, should the master be lost
    /// @param waitMillis that it waits for open transactions; {@link #USUAL_WAIT} for the master's
    ///   own limit, which is the longest
    /// @param settings SET statements of the session
    /// @param names as the scheduler has read them in the text
    /// @param rebuilds the rows of the tables that it changes are sent to every replica again
    record ChangeSchema(
            ConflictClass conflictClass,
            long term,
            long transactionId,
            long waitMillis,
            String database,
            String sql,
            List<String> settings,
            SchemaNames names,
            boolean rebuilds)
            implements ReplicaRequest {}

    /// Column and parameter metadata for COM_STMT_PREPARE.
    record Describe(String database, String sql) implements ReplicaRequest {}

    /// State, positions and figures. Schedulers send it as their heartbeat too.
    record Status(VersionVector lowWatermark) implements ReplicaRequest {}

    /// @param atLeast the answer is not older: the tables that this names are there, or were
    ///   dropped
    record Catalogue(VersionVector atLeast) implements ReplicaRequest {}

    /// The order-independent digest of a table's rows at the tag.
    record Digest(VersionVector tag, int tableId) implements ReplicaRequest {}

    /// The digest of each row at the tag; parts are lists of {@link RowDigest}.
    record RowDigests(VersionVector tag, int tableId) implements ReplicaRequest {}

    /// The rows of one table that some keys name, as of the class's last commit here. Parts are
    /// {@link RowChanges} that insert them; answered by RowsAt.
    ///
    /// @param atLeast that commit is no less
    /// @param keys deletions
    /// @param texts of keys, as {@link RowDigest} has them: all of the table is read
    record NamedRows(
            ConflictClass conflictClass,
            long atLeast,
            String schema,
            String table,
            RowChanges keys,
            List<String> texts)
            implements ReplicaRequest {}

    /// Everything that a joining replica needs beside the stream: parts are {@link TransferPart}s.
    ///
    /// @param positions the commit number of each class from which on the joiner receives the
    ///   stream itself
    /// @param history of the pages that the joiner holds, 0 when it holds none
    /// @param missing for each table the least commit number that those may lack
    /// @param pages to be sent whatever their number
    /// @param fromPage the least page id that is to be sent: another support has sent what is below
    record Transfer(
            List<ClassPosition> positions,
            long history,
            VersionVector missing,
            List<Long> pages,
            long fromPage)
            implements ReplicaRequest {}

    /// From a replica that is complete: wait for my acknowledgements from now on, as long as the
    /// topology is of this epoch. The leader, which is asked last, makes it a member. Refused with
    /// OTHER_EPOCH when the topology is another one; to be asked of all masters again then.
    record EnterInSync(Member member, long epoch) implements ReplicaRequest {}

    /// Whether a transaction whose COMMIT, or whose only statement, got no answer is committed:
    /// Updated when the log tells what its one statement did, else Committed; RolledBack, in which
    /// case the master commits it never more; or Forgotten.
    ///
    /// @param began what was stable when the transaction was begun, or before
    record Outcome(ConflictClass conflictClass, long term, long transactionId, VersionVector began)
            implements ReplicaRequest {}

    /// To a spare: an active replica's readers have used these pages lately.
    record PageHints(List<Long> pages) implements ReplicaRequest {}

    /// What a scheduler asks. When the replica knows of a newer record of the schedulers, a Read is
    /// refused with OTHER_SCHEDULERS, and every other answer comes as Outdated.
    ///
    /// @param epoch of the schedulers' record as the scheduler knows it
    record FromScheduler(long epoch, ReplicaRequest request) implements ReplicaRequest {}

    default byte[] encode() {
        ByteWriter w = new ByteWriter(256);
        encode(w);
        return w.toByteArray();
    }

    private void encode(ByteWriter w) {
        switch (this) {
            case FromScheduler(long epoch, ReplicaRequest request) ->
                    request.encode(w.u8(14).varint(epoch));
            case Read(
                            long epoch,
                            VersionVector tag,
                            VersionVector lowWatermark,
                            StatementCall call) -> {
                w.u8(1).varint(epoch);
                tag.encode(w);
                lowWatermark.encode(w);
                call.encode(w);
            }
            case Update u -> {
                u.conflictClass.encode(w.u8(2));
                w.varint(u.term)
                        .i64(u.session)
                        .i64(u.host)
                        .i64(u.transactionId)
                        .bool(u.autocommit)
                        .bool(u.begins);
                u.lowWatermark.encode(w);
                w.i64(u.lockWaitMillis).bool(u.snapshot != null);
                if (u.snapshot != null) {
                    u.snapshot.encode(w);
                }
                u.call.encode(w);
            }
            case Commit(
                            ConflictClass conflictClass,
                            long term,
                            long session,
                            long transactionId) -> {
                conflictClass.encode(w.u8(3));
                w.varint(term).i64(session).i64(transactionId);
            }
            case Rollback(long session, ConflictClass conflictClass, boolean told) -> {
                conflictClass.encode(w.u8(4).i64(session));
                w.bool(told);
            }
            case ChangeSchema(
                            ConflictClass conflictClass,
                            long term,
                            long transactionId,
                            long waitMillis,
                            String database,
                            String sql,
                            List<String> settings,
                            SchemaNames names,
                            boolean rebuilds) -> {
                conflictClass.encode(w.u8(5));
                w.varint(term).i64(transactionId).i64(waitMillis).string(database).string(sql);
                w.list(settings, ByteWriter::string);
                names.encode(w);
                w.bool(rebuilds);
            }
            case Describe(String database, String sql) -> w.u8(6).string(database).string(sql);
            case Status(VersionVector lowWatermark) -> lowWatermark.encode(w.u8(7));
            case Catalogue(VersionVector atLeast) -> atLeast.encode(w.u8(8));
            case Digest(VersionVector tag, int tableId) -> tag.encode(w.u8(9).i32(tableId));
            case RowDigests(VersionVector tag, int tableId) -> tag.encode(w.u8(10).i32(tableId));
            case Transfer(
                            List<ClassPosition> positions,
                            long history,
                            VersionVector missing,
                            List<Long> pages,
                            long fromPage) -> {
                missing.encode(w.u8(11).list(positions, (x, p) -> p.encode(x)).i64(history));
                w.list(pages, ByteWriter::i64).i64(fromPage);
            }
            case EnterInSync(Member member, long epoch) -> {
                member.encode(w.u8(12));
                w.varint(epoch);
            }
            case Outcome(
                            ConflictClass conflictClass,
                            long term,
                            long transactionId,
                            VersionVector began) -> {
                conflictClass.encode(w.u8(13));
                began.encode(w.varint(term).i64(transactionId));
            }
            case PageHints(List<Long> pages) -> w.u8(15).list(pages, ByteWriter::i64);
            case NamedRows n -> {
                n.conflictClass.encode(w.u8(16));
                n.keys.encode(w.varint(n.atLeast).string(n.schema).string(n.table));
                w.list(n.texts, ByteWriter::string);
            }
        }
    }

    /// Whether a message is a Read, without looking at all of it.
    static boolean isRead(byte[] message) {
        ByteReader r = new ByteReader(message);
        int kind = r.u8();
        if (kind == 14) {
            long _ = r.varint();
            kind = r.u8();
        }
        return kind == 1;
    }

    static ReplicaRequest decode(byte[] message) {
        ByteReader r = new ByteReader(message);
        ReplicaRequest request = decode(r);
        r.finish();
        return request;
    }

    private static ReplicaRequest decode(ByteReader r) {
        int kind = r.u8();
        return switch (kind) {
            case 14 -> new FromScheduler(r.varint(), decode(r));
            case 1 ->
                    new Read(
                            r.varint(),
                            VersionVector.decode(r),
                            VersionVector.decode(r),
                            StatementCall.decode(r));
            case 2 ->
                    new Update(
                            ConflictClass.decode(r),
                            r.varint(),
                            r.i64(),
                            r.i64(),
                            r.i64(),
                            r.bool(),
                            r.bool(),
                            VersionVector.decode(r),
                            r.i64(),
                            r.bool() ? SnapshotAt.decode(r) : null,
                            StatementCall.decode(r));
            case 3 -> new Commit(ConflictClass.decode(r), r.varint(), r.i64(), r.i64());
            case 4 -> new Rollback(r.i64(), ConflictClass.decode(r), r.bool());
            case 5 ->
                    new ChangeSchema(
                            ConflictClass.decode(r),
                            r.varint(),
                            r.i64(),
                            r.i64(),
                            r.string(),
                            r.string(),
                            r.list(ByteReader::string),
                            SchemaNames.decode(r),
                            r.bool());
            case 6 -> new Describe(r.string(), r.string());
            case 7 -> new Status(VersionVector.decode(r));
            case 8 -> new Catalogue(VersionVector.decode(r));
            case 9 -> digest(r.i32(), VersionVector.decode(r));
            case 10 -> rowDigests(r.i32(), VersionVector.decode(r));
            case 11 ->
                    new Transfer(
                            r.list(ClassPosition::decode),
                            r.i64(),
                            VersionVector.decode(r),
                            r.list(ByteReader::i64),
                            r.i64());
            case 12 -> new EnterInSync(Member.decode(r), r.varint());
            case 13 ->
                    new Outcome(
                            ConflictClass.decode(r), r.varint(), r.i64(), VersionVector.decode(r));
            case 15 -> new PageHints(r.list(ByteReader::i64));
            case 16 ->
                    new NamedRows(
                            ConflictClass.decode(r),
                            r.varint(),
                            r.string(),
                            r.string(),
                            RowChanges.decode(r),
                            r.list(ByteReader::string));
            default -> throw new MangledMessageException("replica request of kind " + kind);
        };
    }

    private static ReplicaRequest digest(int tableId, VersionVector tag) {
        return new Digest(tag, tableId);
    }

    private static ReplicaRequest rowDigests(int tableId, VersionVector tag) {
        return new RowDigests(tag, tableId);
    }
}
