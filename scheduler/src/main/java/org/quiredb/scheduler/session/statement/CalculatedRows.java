package org.quiredb.scheduler.session.statement;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.state.Begun;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Collected;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.ReadView;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.Transaction;
import org.quiredb.scheduler.session.transaction.Reads;
import org.quiredb.scheduler.session.transaction.Transactions;
import org.quiredb.sql.command.CountedQuery;
import org.quiredb.sql.tree.TableName;

/// `SELECT SQL_CALC_FOUND_ROWS` in memory: how many rows there are without its LIMIT is asked for
/// first, then the rows, both of one state.
///
/// Threads: owned by the session's thread.
final class CalculatedRows {
    /// The class of SQLSTATE of texts that are wrong.
    private static final String NOT_SO_READ = "42";

    private final Services services;
    private final SessionState state;
    private final OtherMeaning meaning;
    private final Permissions permissions;
    private final Transactions transactions;
    private final Reads reads;
    private final TableReads tableReads;
    private final Views views;

    /// What stands for a read of views; null for any other, and for one that is for the backend.
    interface Views {
        ViewedReads.@Nullable Merged merged(Classification.Read read, ClientStatement statement);
    }

    CalculatedRows(
            Services services,
            SessionState state,
            OtherMeaning meaning,
            Permissions permissions,
            Transactions transactions,
            Reads reads,
            TableReads tableReads,
            Views views) {
        this.services = services;
        this.state = state;
        this.meaning = meaning;
        this.permissions = permissions;
        this.transactions = transactions;
        this.reads = reads;
        this.tableReads = tableReads;
        this.views = views;
    }

    /// @return whether it was such a statement and was run; the client has nothing of it where not
    boolean run(ClientStatement statement, Output output) {
        Optional<CountedQuery> query =
                statement.ofSession() ? CountedQuery.of(statement.tokens()) : Optional.empty();
        if (query.isEmpty()) {
            return false;
        }
        ViewedReads.Merged shown =
                inMemory(part(query.get().shown(), statement, statement.binaryRows()));
        if (shown == null) {
            return false;
        }
        CountedQuery.Part all = query.get().found();
        if (all == null) {
            tableReads.run(shown.read(), shown.statement(), output);
            return true;
        }
        ViewedReads.Merged found = inMemory(part(all, statement, false));
        if (found == null) {
            return false;
        }
        transactions.beginIfNeeded();
        return state.transaction() instanceof Transaction.None
                ? runAlone(found, shown, output)
                : isOneState() && runWithin(found, shown, output);
    }

    private static ClientStatement part(
            CountedQuery.Part part, ClientStatement statement, boolean binaryRows) {
        List<SqlValue> bound = part.kept().stream().map(statement.bound()::get).toList();
        return ClientStatement.of(part.sql(), bound, binaryRows, statement.moreResults());
    }

    /// Null where memory does not run it, or it locks.
    private ViewedReads.@Nullable Merged inMemory(ClientStatement statement) {
        if (!(services.classifier().classify(statement.normalized().text())
                        instanceof Classification.Read read)
                || read.locking()
                || !permissions.allow(read)
                || !meaning.backendReason(read, statement).isEmpty()) {
            return null;
        }
        ViewedReads.Merged merged = views.merged(read, statement);
        return merged == null ? new ViewedReads.Merged(read, statement) : merged;
    }

    /// Whether two reads of the transaction see the same.
    private boolean isOneState() {
        return switch (state.transaction()) {
            case Transaction.Open(boolean readOnly) -> readOnly || isRepeatable();
            case Transaction.ReadOnly _ -> true;
            case Transaction.Update _, Transaction.None() -> isRepeatable();
        };
    }

    private boolean isRepeatable() {
        return switch (state.isolation()) {
            case REPEATABLE_READ, SERIALIZABLE -> true;
            case READ_COMMITTED -> false;
        };
    }

    private boolean runAlone(ViewedReads.Merged found, ViewedReads.Merged shown, Output output) {
        Set<TableName> tables = state.qualified(shown.read().tables());
        Set<TableName> counted = state.qualified(found.read().tables());
        try (ReadView view = reads.view(tables, shown.statement().normalized().text())) {
            OptionalLong rows = rows(to -> reads.onReplicas(view, counted, found.statement(), to));
            if (rows.isEmpty()) {
                return false;
            }
            boolean done = showsAt(view, tables, shown.statement(), output);
            if (done) {
                var _ = state.takeReadOnly();
                state.diagnostics().calculated(rows.getAsLong());
            }
            return done;
        }
    }

    /// @return false where no replica shows that state any more
    private boolean showsAt(
            ReadView view, Set<TableName> tables, ClientStatement shown, Output output) {
        Begun begun = new Begun(output);
        try {
            return reads.onReplicas(view, tables, shown, begun);
        } catch (QuireException e) {
            boolean gone =
                    e.code() == ErrorCode.SNAPSHOT_TOO_OLD || e.code() == ErrorCode.TABLE_CHANGED;
            if (begun.any() || !gone) {
                throw e;
            }
            return false;
        }
    }

    private boolean runWithin(ViewedReads.Merged found, ViewedReads.Merged shown, Output output) {
        OptionalLong rows =
                rows(to -> {
                    tableReads.run(found.read(), found.statement(), to);
                    return true;
                });
        if (rows.isEmpty()) {
            return false;
        }
        tableReads.run(shown.read(), shown.statement(), output);
        state.diagnostics().calculated(rows.getAsLong());
        return true;
    }

    /// Empty where only the backend counts them: as of two columns of one name.
    private static OptionalLong rows(Predicate<Output> count) {
        Collected counted = new Collected();
        try {
            return count.test(counted)
                            && counted.rows().getFirst().getFirst().value()
                                    instanceof SqlValue.IntegerValue(long rows, boolean _)
                    ? OptionalLong.of(rows)
                    : OptionalLong.empty();
        } catch (StatementFailed e) {
            if (e.sqlState().startsWith(NOT_SO_READ)) {
                return OptionalLong.empty();
            }
            throw e;
        }
    }
}
