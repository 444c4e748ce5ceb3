package org.quiredb.scheduler.session.backend;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.classify.StoredCalls;
import org.quiredb.scheduler.fallback.Freshness;
import org.quiredb.scheduler.fallback.connection.Asked;
import org.quiredb.scheduler.fallback.connection.BackendSession;
import org.quiredb.scheduler.fallback.connection.Outcome;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.UserVariable;
import org.quiredb.scheduler.session.state.UserVariables;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Tokens;

/// What expressions come to on the backend.
///
/// Threads: owned by the session's thread.
public final class BackendValues {
    private static final String EVALUATED = "quire_evaluates";

    private final Services services;
    private final ClientLocks locks;
    private final BackendWording wording;
    private final CaughtUp applied;

    BackendValues(Services services, ClientLocks locks, BackendWording wording, CaughtUp applied) {
        this.services = services;
        this.locks = locks;
        this.wording = wording;
        this.applied = applied;
    }

    /// What expressions come to, as their user variables will have it, and those that they name.
    ///
    /// @param expressions by the variables' names
    public Map<String, UserVariable> evaluate(Map<String, String> expressions) {
        String sent = assigning(expressions);
        Tokens tokens = Tokens.of(sent).plain();
        wording.requireNotOfLog(tokens);
        Set<String> moved = wording.programs().requireReading(tokens);
        Edits edits = new Edits(tokens);
        boolean calls = StoredCalls.in(tokens, services.mariaDb());
        SessionTerms sets =
                SessionText.assigning(expressions.keySet(), tokens, calls).moving(moved);
        wording.forBackend(sets, tokens, edits);
        NamedLocks.Named locked = NamedLocks.in(sent);
        NamedLocks.apart(tokens, edits);
        if (!locked.asksWho()) {
            wording.withConnectionId(tokens, edits);
        }
        boolean ofSettings =
                expressions.values().stream().allMatch(BackendSettings::isConstant)
                        || wording.asksForMode(sent);
        BackendSession session = ofSettings ? wording.shownSession(sent) : wording.session();
        boolean reads = Tokens.mentions(sent, "SELECT") || calls;
        Freshness freshness = reads ? applied.await(CaughtUp.ANY) : Freshness.ANY;
        Asked asked = new Asked(edits.made(), edits.made(), false, 0, SessionText.then(sets));
        boolean hides = ProgramWalk.mayHide(tokens, services.mariaDb());
        Outcome outcome =
                ProgramWalk.reading(() ->
                        locked.any()
                                ? locks.run(locked, session, freshness, asked, hides, p -> {})
                                : services.backend()
                                        .run(session, freshness, asked, hides, p -> {}));
        return wording.taken(sets, outcome);
    }

    /// A SET of them.
    public static String assigning(Map<String, String> expressions) {
        return expressions.entrySet().stream()
                .map(e -> UserVariables.quoted(e.getKey()) + " = " + e.getValue())
                .collect(Collectors.joining(", ", "SET ", ""));
    }

    /// What an expression comes to, of whatever type.
    public SqlValue value(String expression) {
        return Objects.requireNonNull(evaluate(Map.of(EVALUATED, expression)).get(EVALUATED))
                .value();
    }
}
