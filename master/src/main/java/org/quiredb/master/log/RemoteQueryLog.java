package org.quiredb.master.log;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.logger.LoggerConnection;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.master.commit.QueryLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The persistence logger as a master calls it.
///
/// Threads: any; calls block, but for appends that are begun.
public final class RemoteQueryLog implements QueryLog {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteQueryLog.class);
    private static final long RETRY_MILLIS = 100;

    private final LoggerConnection caller;
    private final Absence absence;
    private volatile int packetBytes;

    /// @param absence told whether the log answers
    public RemoteQueryLog(LoggerConnection caller, Absence absence) {
        this.caller = caller;
        this.absence = absence;
    }

    /// Asks again and again, for what cannot be done without: whatever state the log or a backend
    /// is in, it passes.
    ///
    /// @param over whether nobody needs the answer any more
    /// @throws RuntimeException what the last try ended with, when it is over
    public static <T> T untilAnswered(Supplier<T> question, BooleanSupplier over) {
        while (true) {
            try {
                return question.get();
            } catch (RpcException | FailedException e) {
                if (over.getAsBoolean() || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS));
            }
        }
    }

    /// For how long the log has not answered; 0 while it does.
    public double awaySeconds() {
        return absence.seconds();
    }

    /// @throws RpcException when there was no answer, or the log or a backend cannot do it now
    public LoggerReply call(LoggerRequest request, Consumer<byte[]> parts) {
        try {
            LoggerReply reply = LoggerReply.decode(caller.call(request.encode(), parts));
            if (reply instanceof LoggerReply.Away(String reason)) {
                throw new RpcException(reason);
            }
            absence.answered();
            return reply;
        } catch (RpcException e) {
            absence.failed(String.valueOf(e.getMessage()));
            throw e;
        }
    }

    @Override
    public long append(
            ConflictClass conflictClass, long term, long stable, List<CommitRecord> records) {
        LoggerReply reply =
                call(new LoggerRequest.Append(conflictClass, term, stable, records), part -> {});
        return position(reply, conflictClass, "append");
    }

    @Override
    public boolean begin(
            ConflictClass conflictClass,
            long term,
            long stable,
            List<CommitRecord> records,
            Consumer<OptionalLong> ended) {
        return caller.begin(
                new LoggerRequest.Append(conflictClass, term, stable, records).encode(),
                answer -> ended.accept(onDisk(answer)));
    }

    /// Whatever else it is, the waiting way will find out, and ask again where that helps.
    private OptionalLong onDisk(Optional<byte[]> answer) {
        try {
            if (answer.isPresent()
                    && LoggerReply.decode(answer.get())
                            instanceof LoggerReply.Position(long commitNumber, int bytes)) {
                packetBytes = bytes;
                absence.answered();
                return OptionalLong.of(commitNumber);
            }
        } catch (RuntimeException e) { // nobody else would be told
            LOG.debug("an answer to an append", e);
        }
        return OptionalLong.empty();
    }

    /// Takes the class over and returns the last commit number in the log.
    public long open(ConflictClass conflictClass, long term) {
        LoggerReply reply = call(new LoggerRequest.OpenClass(conflictClass, term), part -> {});
        return position(reply, conflictClass, "open");
    }

    /// Waits until every backend that is followed has a stable commit of the class.
    ///
    /// @throws FailedException when one is behind for too long
    public void awaitApplied(ConflictClass conflictClass, long commitNumber) {
        stream(new LoggerRequest.AwaitApplied(conflictClass, commitNumber), part -> {});
    }

    @Override
    public Finding find(ConflictClass conflictClass, long transactionId, long after) {
        LoggerReply reply =
                call(
                        new LoggerRequest.FindTransaction(conflictClass, transactionId, after),
                        part -> {});
        if (reply instanceof LoggerReply.Found(List<CommitRecord> records)) {
            return records.isEmpty()
                    ? new Finding.NotCommitted()
                    : new Finding.Committed(records.getFirst());
        }
        if (reply instanceof LoggerReply.Forgotten) {
            return new Finding.Forgotten();
        }
        throw unexpected(reply, "find");
    }

    /// The topology in force.
    public Topology topology() {
        return inForce(false).topology();
    }

    /// The topology in force, and where the log ends.
    ///
    /// @param asMember whether that is a sign of life of a member of it
    public LoggerReply.TopologyReply inForce(boolean asMember) {
        return topology(call(new LoggerRequest.ReadTopology(asMember), part -> {}));
    }

    /// Asks for the next topology; the answer says which one is in force. May be asked again.
    public LoggerReply.TopologyReply change(Topology next, List<ClassPosition> ends) {
        return topology(call(new LoggerRequest.ChangeTopology(next, ends), part -> {}));
    }

    /// Of the schedulers' record that is in force.
    public long schedulersEpoch() {
        LoggerReply reply = call(new LoggerRequest.ReadSchedulers(), part -> {});
        if (reply instanceof LoggerReply.SchedulersReply(Schedulers record)) {
            return record.epoch();
        }
        throw unexpected(reply, "schedulers");
    }

    private static LoggerReply.TopologyReply topology(LoggerReply reply) {
        if (reply instanceof LoggerReply.TopologyReply known) {
            return known;
        }
        if (reply instanceof LoggerReply.Failed(int number, String sqlState, String message)) {
            throw new FailedException(number, sqlState, message);
        }
        throw unexpected(reply, "topology");
    }

    /// Takes parts until the log says that they are complete.
    public void stream(LoggerRequest request, Consumer<byte[]> parts) {
        LoggerReply reply = call(request, parts);
        switch (reply) {
            case LoggerReply.Done done -> {}
            case LoggerReply.Position position -> {}
            case LoggerReply.Failed(int number, String sqlState, String message) ->
                    throw new FailedException(number, sqlState, message);
            case LoggerReply.OldEpoch(long epoch) ->
                    throw new FencedException(new ConflictClass("asked for"), epoch);
            case LoggerReply.Positions positions -> throw unexpected(reply, "stream");
            case LoggerReply.StatusReply status -> throw unexpected(reply, "stream");
            case LoggerReply.TopologyReply topology -> throw unexpected(reply, "stream");
            case LoggerReply.Found found -> throw unexpected(reply, "stream");
            case LoggerReply.Forgotten forgotten -> throw unexpected(reply, "stream");
            case LoggerReply.SchemaChanged changed -> throw unexpected(reply, "stream");
            case LoggerReply.SchedulersReply schedulers -> throw unexpected(reply, "stream");
            case LoggerReply.Standby standby -> throw unexpected(reply, "stream");
            case LoggerReply.Away away -> throw unexpected(reply, "stream");
        }
    }

    /// Takes what a schema change brings.
    public LoggerReply.SchemaChanged changeSchema(LoggerRequest request, Consumer<byte[]> parts) {
        LoggerReply reply = call(request, parts);
        if (reply instanceof LoggerReply.SchemaChanged changed) {
            return changed;
        }
        if (reply instanceof LoggerReply.Failed(int number, String sqlState, String message)) {
            throw new FailedException(number, sqlState, message);
        }
        if (reply instanceof LoggerReply.OldEpoch(long epoch)) {
            throw new FencedException(new ConflictClass("asked for"), epoch);
        }
        throw unexpected(reply, "schema change");
    }

    /// The largest packet that every backend takes, as the log told last; 0 for the default one.
    public int packetBytes() {
        return packetBytes;
    }

    private long position(LoggerReply reply, ConflictClass conflictClass, String what) {
        return switch (reply) {
            case LoggerReply.Position(long commitNumber, int bytes) -> {
                packetBytes = bytes;
                yield commitNumber;
            }
            case LoggerReply.OldEpoch(long epoch) ->
                    throw new FencedException(conflictClass, epoch);
            case LoggerReply.Failed(int number, String sqlState, String message) ->
                    throw new FailedException(number, sqlState, message);
            case LoggerReply.Done done -> throw unexpected(reply, what);
            case LoggerReply.Positions positions -> throw unexpected(reply, what);
            case LoggerReply.StatusReply status -> throw unexpected(reply, what);
            case LoggerReply.TopologyReply topology -> throw unexpected(reply, what);
            case LoggerReply.Found found -> throw unexpected(reply, what);
            case LoggerReply.Forgotten forgotten -> throw unexpected(reply, what);
            case LoggerReply.SchemaChanged changed -> throw unexpected(reply, what);
            case LoggerReply.SchedulersReply schedulers -> throw unexpected(reply, what);
            case LoggerReply.Standby standby -> throw unexpected(reply, what);
            case LoggerReply.Away away -> throw unexpected(reply, what);
        };
    }

    private static QuireException unexpected(LoggerReply reply, String what) {
        return new QuireException(
                ErrorCode.TIER_UNAVAILABLE,
                "the persistence logger answers " + what + " with " + reply);
    }

    /// The logger, or a backend behind it, refuses for good, with an error of its own.
    public static final class FailedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final int number;
        private final String sqlState;

        FailedException(int number, String sqlState, String message) {
            super(message);
            this.number = number;
            this.sqlState = sqlState;
        }

        public int number() {
            return number;
        }

        public String sqlState() {
            return sqlState;
        }
    }
}
