package org.quiredb.logger.log;

import java.sql.SQLException;
import java.util.List;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;

/// Quire's own tables inside one database transaction, as {@link LogWork} needs them.
///
/// {@link CommitLog} has them in a backend; the cluster simulation has them in memory. Threads:
/// one.
public interface LogTables {
    /// The class's tail, its term locked until the transaction ends.
    LogTail lockTail(ConflictClass conflictClass) throws SQLException;

    /// The topology in force, locked until the transaction ends.
    Topology lockTopology() throws SQLException;

    void store(Topology topology) throws SQLException;

    /// The schedulers, locked until the transaction ends.
    Schedulers lockSchedulers() throws SQLException;

    void store(Schedulers schedulers) throws SQLException;

    void storeEpoch(ConflictClass conflictClass, long epoch) throws SQLException;

    /// The least table id that has not been given to any master.
    int nextTableId() throws SQLException;

    void storeNextTableId(int next) throws SQLException;

    /// Where each class's log ends.
    List<ClassPosition> ends() throws SQLException;

    /// The last commit of each class that this backend has applied.
    List<ClassPosition> applied() throws SQLException;

    /// The last commit that this backend has applied.
    long applied(ConflictClass conflictClass) throws SQLException;

    void insert(ConflictClass conflictClass, long epoch, List<CommitRecord> records)
            throws SQLException;

    void cutOff(ConflictClass conflictClass, long after) throws SQLException;

    void delete(ConflictClass conflictClass, long commitNumber) throws SQLException;

    /// Whether the log's record of this number is of this transaction; one that was pruned cannot
    /// be told and passes.
    boolean sameTransaction(ConflictClass conflictClass, CommitRecord record) throws SQLException;

    /// The record of a transaction, if the log has it.
    List<CommitRecord> find(ConflictClass conflictClass, long transactionId) throws SQLException;

    /// The log has every record after this commit.
    long forgottenUpTo(ConflictClass conflictClass) throws SQLException;

    /// The records from one commit number to another, inclusive, in commit order.
    List<CommitRecord> read(ConflictClass conflictClass, long from, long to) throws SQLException;
}
