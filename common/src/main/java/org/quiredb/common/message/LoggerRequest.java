package org.quiredb.common.message;

import java.util.List;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;
import org.quiredb.common.writeset.CommitRecord;

/// What masters, schedulers and `quire verify` ask of the persistence logger. Each is answered by
/// one {@link LoggerReply}.
public sealed interface LoggerRequest {
    /// A master takes its class over: epochs at or below the stored one are refused, older masters
    /// from now on too; the master of the class's term in the topology may ask again. Answered by
    /// Position: the last commit number in the log.
    record OpenClass(ConflictClass conflictClass, long epoch) implements LoggerRequest {}

    /// The next commit records, contiguous. Answered by Position, the last one that is on disk, or
    /// by OldEpoch.
    ///
    /// @param stable commits up to this number are stable; appliers go no further
    record Append(ConflictClass conflictClass, long epoch, long stable, List<CommitRecord> records)
            implements LoggerRequest {}

    /// Answered by Position when every backend has applied the class up to this commit number, or
    /// by Failed.
    record AwaitApplied(ConflictClass conflictClass, long commitNumber) implements LoggerRequest {}

    /// Answered by Positions: how far each class is applied on the first backend, at least at the
    /// time of asking.
    record Applied() implements LoggerRequest {}

    /// The whole database at one snapshot, after everything logged has been applied. Parts are
    /// {@link SnapshotPart}s.
    record Snapshot() implements LoggerRequest {}

    /// DDL on every backend, once everything before its record is applied. Parts: the whole schema
    /// afterwards, then the rows of the tables that the statement changed, as in Snapshot. Answered
    /// by SchemaChanged; may be asked again with the same record.
    ///
    /// @param known the tables as the asker has them
    /// @param nextTableId the least id of which the asker knows no table, nor knew one
    record ChangeSchema(
            ConflictClass conflictClass,
            long epoch,
            CommitRecord record,
            List<TableDefinition> known,
            int nextTableId)
            implements LoggerRequest {}

    /// As ChangeSchema, for the record that a lost master has left in the log.
    record FinishSchemaChange(
            ConflictClass conflictClass,
            long epoch,
            long commitNumber,
            List<TableDefinition> known,
            int nextTableId)
            implements LoggerRequest {}

    /// Opens a snapshot of every backend, all at the same commit of every class and none below the
    /// given positions, for the asker's connection; it ends with the connection, when another is
    /// opened, or after a while. Answered by Positions: the commits that it shows.
    record OpenComparison(List<ClassPosition> atLeast) implements LoggerRequest {}

    /// The digests of every table of each backend in the connection's comparison. Parts: lists of
    /// {@link TableDigest}.
    record Digests() implements LoggerRequest {}

    /// As Digests, but row by row for one table; parts are lists of {@link RowDigest}.
    record RowDigests(int backend, String schema, String table) implements LoggerRequest {}

    /// Puts rows of one backend right that a comparison has found to differ. Answered by Done when
    /// none of the backend is known to differ any more, or by Failed.
    ///
    /// @param keys as {@link RowDigest} has them
    record Repair(
            ConflictClass conflictClass,
            int backend,
            String schema,
            String table,
            List<String> keys)
            implements LoggerRequest {}

    record Status() implements LoggerRequest {}

    /// Answered by TopologyReply.
    ///
    /// @param asMember whether a member of the topology asks, which is a sign of its life
    record ReadTopology(boolean asMember) implements LoggerRequest {
        public ReadTopology() {
            this(false);
        }
    }

    /// Puts a topology in force when the present one is of the epoch before. Answered by
    /// TopologyReply with the one that is in force now, this one or another.
    ///
    /// @param ends of a new master: each class's log is cut off after this commit, which nobody has
    ///   applied anything beyond; Failed otherwise. A schema change that comes next stays: it may
    ///   be under way, and is for the new master to finish
    record ChangeTopology(Topology next, List<ClassPosition> ends) implements LoggerRequest {}

    /// Answered by Found, or by Forgotten.
    ///
    /// @param after the transaction was begun after this commit of the class
    record FindTransaction(ConflictClass conflictClass, long transactionId, long after)
            implements LoggerRequest {
        /// Of what was committed so long ago nobody asks any more.
        public static final long ASKED_WITHIN_MILLIS = 120_000;
    }

    /// Answered by SchedulersReply.
    record ReadSchedulers() implements LoggerRequest {}

    /// Puts a record of the schedulers in force when the present one is of the epoch before.
    /// Answered by SchedulersReply with the one that is in force now, this one or another.
    record ChangeSchedulers(Schedulers next) implements LoggerRequest {}

    /// Whether a message is an Append, without looking at all of it.
    static boolean isAppend(byte[] message) {
        return message.length > 0 && message[0] == 2;
    }

    default byte[] encode() {
        ByteWriter w = new ByteWriter(256);
        switch (this) {
            case OpenClass(ConflictClass conflictClass, long epoch) -> {
                conflictClass.encode(w.u8(1));
                w.varint(epoch);
            }
            case Append(
                            ConflictClass conflictClass,
                            long epoch,
                            long stable,
                            List<CommitRecord> records) -> {
                conflictClass.encode(w.u8(2));
                w.varint(epoch).varint(stable).list(records, (x, record) -> record.encode(x));
            }
            case AwaitApplied(ConflictClass conflictClass, long commitNumber) -> {
                conflictClass.encode(w.u8(3));
                w.varint(commitNumber);
            }
            case Applied() -> w.u8(4);
            case Snapshot() -> w.u8(5);
            case ChangeSchema(
                            ConflictClass conflictClass,
                            long epoch,
                            CommitRecord record,
                            List<TableDefinition> known,
                            int nextTableId) -> {
                conflictClass.encode(w.u8(6));
                record.encode(w.varint(epoch));
                w.list(known, (x, table) -> table.encode(x)).i32(nextTableId);
            }
            case FinishSchemaChange(
                            ConflictClass conflictClass,
                            long epoch,
                            long commitNumber,
                            List<TableDefinition> known,
                            int nextTableId) -> {
                conflictClass.encode(w.u8(14));
                w.varint(epoch).varint(commitNumber);
                w.list(known, (x, table) -> table.encode(x)).i32(nextTableId);
            }
            case OpenComparison(List<ClassPosition> atLeast) ->
                    w.u8(7).list(atLeast, (x, p) -> p.encode(x));
            case RowDigests(int backend, String schema, String table) ->
                    w.u8(8).varint(backend).string(schema).string(table);
            case Repair r -> {
                r.conflictClass.encode(w.u8(17));
                w.varint(r.backend).string(r.schema).string(r.table);
                w.list(r.keys, ByteWriter::string);
            }
            case Status() -> w.u8(9);
            case ReadSchedulers() -> w.u8(15);
            case ChangeSchedulers(Schedulers next) -> next.encode(w.u8(16));
            case Digests() -> w.u8(10);
            case ReadTopology(boolean asMember) -> w.u8(11).bool(asMember);
            case ChangeTopology(Topology next, List<ClassPosition> ends) -> {
                next.encode(w.u8(12));
                w.list(ends, (x, p) -> p.encode(x));
            }
            case FindTransaction(ConflictClass conflictClass, long transactionId, long after) -> {
                conflictClass.encode(w.u8(13));
                w.i64(transactionId).varint(after);
            }
        }
        return w.toByteArray();
    }

    static LoggerRequest decode(byte[] message) {
        ByteReader r = new ByteReader(message);
        int kind = r.u8();
        LoggerRequest request =
                switch (kind) {
                    case 1 -> new OpenClass(ConflictClass.decode(r), r.varint());
                    case 2 ->
                            new Append(
                                    ConflictClass.decode(r),
                                    r.varint(),
                                    r.varint(),
                                    r.list(CommitRecord::decode));
                    case 3 -> new AwaitApplied(ConflictClass.decode(r), r.varint());
                    case 4 -> new Applied();
                    case 5 -> new Snapshot();
                    case 6 ->
                            new ChangeSchema(
                                    ConflictClass.decode(r),
                                    r.varint(),
                                    CommitRecord.decode(r),
                                    r.list(TableDefinition::decode),
                                    r.i32());
                    case 14 ->
                            new FinishSchemaChange(
                                    ConflictClass.decode(r),
                                    r.varint(),
                                    r.varint(),
                                    r.list(TableDefinition::decode),
                                    r.i32());
                    case 7 -> new OpenComparison(r.list(ClassPosition::decode));
                    case 8 -> new RowDigests(r.count(99), r.string(), r.string());
                    case 17 ->
                            new Repair(
                                    ConflictClass.decode(r),
                                    r.count(99),
                                    r.string(),
                                    r.string(),
                                    r.list(ByteReader::string));
                    case 9 -> new Status();
                    case 10 -> new Digests();
                    case 11 -> new ReadTopology(r.bool());
                    case 12 ->
                            new ChangeTopology(Topology.decode(r), r.list(ClassPosition::decode));
                    case 15 -> new ReadSchedulers();
                    case 16 -> new ChangeSchedulers(Schedulers.decode(r));
                    case 13 -> new FindTransaction(ConflictClass.decode(r), r.i64(), r.varint());
                    default -> throw new MangledMessageException("logger request of kind " + kind);
                };
        r.finish();
        return request;
    }
}
