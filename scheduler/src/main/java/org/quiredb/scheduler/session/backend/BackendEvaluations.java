package org.quiredb.scheduler.session.backend;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.scheduler.fallback.Evaluated;
import org.quiredb.scheduler.fallback.Evaluating;
import org.quiredb.scheduler.fallback.Evaluation;
import org.quiredb.scheduler.fallback.Snapshot;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.sql.text.Tokens;

/// Has the backend evaluate changes of rows, over those of a transaction.
///
/// Threads: owned by the session's thread.
public final class BackendEvaluations {
    private final Services services;
    private final BackendWording wording;
    private final CaughtUp applied;

    BackendEvaluations(Services services, BackendWording wording, CaughtUp applied) {
        this.services = services;
        this.wording = wording;
        this.applied = applied;
    }

    public interface Looking {
        List<Evaluation.Target> at(String sql);
    }

    /// Has the backend evaluate a change of rows over a transaction's own, once it has applied what
    /// everything that is locked stands on.
    ///
    /// @param looking which rows the statement that the backend gets may change
    /// @param moves whether rows may get other primary keys
    public Evaluated evaluate(
            Evaluating where,
            RowChanges rows,
            ClientStatement statement,
            String why,
            Looking looking,
            boolean moves,
            long firstId) {
        ToldStatement told = toldWhere(where, statement, why);
        Tokens tokens = statement.tokens();
        boolean ignores = IntStream.range(1, 4).anyMatch(i -> tokens.is(i, "IGNORE"));
        Evaluated evaluated =
                where.evaluate(
                        rows,
                        wording.session(),
                        new Evaluation(
                                told.asked(),
                                looking.at(told.asked().sql()),
                                firstId,
                                services.limits().overlayRows(),
                                moves || tokens.is(0, "REPLACE") || tokens.is(0, "INSERT"),
                                moves || tokens.is(0, "REPLACE") || tokens.is(0, "DELETE"),
                                ignores));
        wording.learn(told.terms(), evaluated.outcome());
        return evaluated;
    }

    /// As {@link #evaluate}, of a CALL, or of what fires triggers.
    ///
    /// @param why it is not run by the tier
    /// @param results gets the packets of its results
    public Evaluated evaluate(
            Snapshot where,
            RowChanges rows,
            List<Evaluation.Target> targets,
            BackendLook look,
            String why,
            Consumer<byte[]> results) {
        wording.because(why);
        applied.requireReached(where);
        Evaluated evaluated =
                where.evaluate(
                        rows,
                        wording.sessionOfCall(),
                        new Evaluation(
                                null,
                                targets,
                                0,
                                services.limits().overlayRows(),
                                true,
                                true,
                                true),
                        look,
                        results);
        wording.learn(look.terms(), evaluated.outcome());
        return evaluated;
    }

    /// How many rows a query has over a transaction's own, as of {@link #evaluate}.
    public long count(Evaluating where, RowChanges rows, ClientStatement query, String why) {
        ToldStatement told = toldWhere(where, query, why);
        return where.count(
                rows, wording.session(), told.asked().sql(), services.limits().overlayRows());
    }

    private ToldStatement toldWhere(Evaluating where, ClientStatement statement, String why) {
        wording.because(why);
        applied.requireReached(where);
        ToldStatement told = wording.told(statement);
        if (told.locked().any()) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire does not support named locks in a change of rows");
        }
        return told;
    }
}
