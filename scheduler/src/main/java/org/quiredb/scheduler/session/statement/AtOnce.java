package org.quiredb.scheduler.session.statement;

import java.util.List;
import java.util.function.Consumer;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.classify.Classification.Access;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;

/// What needs nobody, or nobody but a replica of this process, and blocks no thread: a short read,
/// the begin of a transaction, the end of one that only such reads were made in.
///
/// Threads: as of the session, whose event loop it may be.
public final class AtOnce {
    private final SessionParts parts;
    private final Services services;
    private final SessionState state;
    private final Statements statements;
    private final Consumer<Runnable> answering;

    /// @param answering has an answer given, after which the client's silence begins anew
    public AtOnce(SessionParts parts, Statements statements, Consumer<Runnable> answering) {
        this.parts = parts;
        this.statements = statements;
        this.answering = answering;
        services = parts.services;
        state = parts.state;
    }

    /// Whether nothing lies between a statement and memory.
    public boolean may() {
        return !parts.lockedTables.any() && !parts.temporary.any();
    }

    /// @return false where it is none of these, and nothing is done
    public boolean run(Classification kind, ClientStatement statement, Output output) {
        return switch (kind) {
            case Classification.Read read -> readNow(read, statement, output);
            case Classification.Begin(Access access, boolean snapshot)
                    when !snapshot && parts.transactions.endsAtOnce() -> {
                parts.transactions.end(true);
                parts.transactions.begin(access, false);
                yield answerNow(() -> statements.done(statement, output));
            }
            case Classification.Ending(_, boolean chains)
                    when !chains && parts.transactions.endsAtOnce() -> {
                parts.transactions.endAsked(true, false);
                yield answerNow(() -> statements.done(statement, output));
            }
            default -> false;
        };
    }

    private boolean readNow(Classification.Read read, ClientStatement statement, Output output) {
        Catalogue known = services.cluster().catalogueNow();
        if (known == null
                || (state.zoned() == null && !services.backend().knowsZone())
                || statements.isElsewhere(statement)
                || statement.ofSession()
                || read.locking()
                || state.statementLimitMillis(false) > 0
                || state.limitsRows()
                || !statement.nesting().isWithin(services.limits().nesting())
                || !parts.permissions.allow(read, known)
                || !parts.meaning.backendReason(read, statement).isEmpty()) {
            return false;
        }
        ViewedReads.Merged merged = parts.viewed.merged(read, statement, known, false);
        List<byte[]> packets =
                merged == null
                        ? parts.reads.now(known, state.qualified(read.tables()), statement)
                        : parts.reads.now(
                                known, state.qualified(merged.read().tables()), merged.statement());
        return packets != null
                && answerNow(() -> packets.forEach(packet -> output.relay(packet, () -> {})));
    }

    private boolean answerNow(Runnable answer) {
        answering.accept(answer);
        return true;
    }
}
