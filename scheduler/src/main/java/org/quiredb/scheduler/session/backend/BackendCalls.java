package org.quiredb.scheduler.session.backend;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.Evaluated;
import org.quiredb.scheduler.fallback.FallbackBackend;
import org.quiredb.scheduler.fallback.Freshness;
import org.quiredb.scheduler.fallback.Snapshot;
import org.quiredb.scheduler.fallback.connection.Asked;
import org.quiredb.scheduler.fallback.connection.Outcome;
import org.quiredb.scheduler.fallback.connection.ProcedureCall;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Calls procedures on the backend, and computes what a program that runs here asks it for.
///
/// Threads: owned by the session's thread.
public final class BackendCalls {
    private static final String COMPUTES = "it is an expression of a stored procedure";

    /// Than a procedure has: it is refused before it runs, but after its rights were looked at.
    private static final int MORE_ARGUMENTS = 100;

    private static final int WRONG_NUMBER_OF_ARGUMENTS = 1318;

    private final Services services;
    private final SessionState state;
    private final BackendWording wording;
    private final CaughtUp applied;

    BackendCalls(Services services, SessionState state, BackendWording wording, CaughtUp applied) {
        this.services = services;
        this.state = state;
        this.wording = wording;
        this.applied = applied;
    }

    /// A CALL, which changes nothing.
    ///
    /// @param snapshot at whose state; null for what is committed when it runs
    public void call(
            @Nullable Snapshot snapshot,
            BackendLook look,
            ClientStatement statement,
            Output output) {
        wording.because(Fallback.CALLS);
        FallbackBackend backend = services.backend();
        Freshness freshness = snapshot == null ? applied.await(CaughtUp.ANY) : Freshness.ANY;
        boolean ask = snapshot == null && !backend.several();
        Runnable shown = ask ? () -> applied.learn(c -> true) : () -> {};
        Relay relay = new Relay(output, () -> {});
        Consumer<byte[]> sink =
                packets -> {
                    shown.run(); // it may have read more since the last ones
                    relay.accept(packets);
                };
        Evaluated ended;
        try {
            ended =
                    snapshot == null
                            ? backend.call(wording.session(), freshness, look, sink)
                            : snapshot.call(wording.session(), look, sink);
        } catch (StatementFailed e) {
            shown.run();
            throw e;
        }
        shown.run();
        Outcome outcome = ended.outcome();
        wording.learn(look.terms(), outcome);
        if (ended.failure() != null) {
            throw ended.failure();
        }
        output.ok(
                outcome.affectedRows(),
                outcome.insertId(),
                state.statusFlags(statement.moreResults()),
                outcome.conditions().size(),
                outcome.info());
    }

    /// A block of a program that reads no table, calls nothing but functions of the server, and
    /// shows one result at most.
    public void compute(ClientStatement block, Output output) {
        wording.because(COMPUTES);
        services.counters().fallback().increment();
        Tokens tokens = block.tokens();
        SessionTerms terms = block.ofSession() ? SessionTerms.of(tokens) : BackendWording.NO_TERMS;
        Asked asked =
                wording.asked(
                        tokens, terms, block.binaryRows(), state.statusFlags(block.moreResults()));
        Outcome outcome =
                services.backend().compute(wording.session(), asked, new Relay(output, () -> {}));
        wording.learn(terms, outcome);
    }

    /// Shows the client what a procedure leaves in its parameters.
    ///
    /// @param block shows them
    /// @param parameters their names
    public void showOutputs(
            String block,
            TableName procedure,
            List<String> parameters,
            boolean binaryRows,
            Output output) {
        wording.because(COMPUTES);
        Asked asked =
                wording.asked(
                        Tokens.of(block),
                        BackendWording.NO_TERMS,
                        binaryRows,
                        state.statusFlags(true));
        ProcedureCall shown = new ProcedureCall(asked, procedure, parameters, true);
        Evaluated _ =
                services.backend()
                        .call(
                                wording.session(),
                                Freshness.ANY,
                                routines -> shown,
                                new Relay(output, () -> {}));
    }

    /// @throws StatementFailed the server's own error where the client may not call a procedure
    public void requireExecutable(TableName procedure, int parameters) {
        String most = ", NULL".repeat(parameters + MORE_ARGUMENTS).substring(1);
        String sql = "CALL " + BackendWording.quoted(procedure) + "(" + most + ")";
        try {
            Outcome _ =
                    services.backend()
                            .run(
                                    wording.session(),
                                    Freshness.ANY,
                                    new Asked(sql, sql, false, 0, ""),
                                    packets -> {});
        } catch (StatementFailed e) {
            if (e.number() != WRONG_NUMBER_OF_ARGUMENTS) {
                throw e;
            }
        }
    }
}
