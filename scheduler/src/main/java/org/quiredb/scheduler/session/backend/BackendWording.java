package org.quiredb.scheduler.session.backend;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.classify.LogDatabase;
import org.quiredb.scheduler.classify.StoredCalls;
import org.quiredb.scheduler.fallback.connection.Asked;
import org.quiredb.scheduler.fallback.connection.BackendSession;
import org.quiredb.scheduler.fallback.connection.Outcome;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.UserVariable;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// What the backend is told for a session: in which session of its own, and in which words; and
/// what the session learns by that.
///
/// Threads: owned by the session's thread.
final class BackendWording {
    /// What is below is ASCII.
    private static final int FIRST_OTHER = 0x80;

    static final SessionTerms NO_TERMS = new SessionTerms(List.of(), Set.of(), null, false, false);

    private final Services services;
    private final SessionState state;
    private final SessionText text;
    private final int connectionId;
    private final boolean foundRows;
    private final CalledPrograms programs;
    private final ProcessList processes;
    private String reason = "";

    /// @param connectionId what CONNECTION_ID() is to be
    /// @param foundRows whether ROW_COUNT() in a stored program is to be of rows found
    BackendWording(Services services, SessionState state, int connectionId, boolean foundRows) {
        this.services = services;
        this.state = state;
        this.connectionId = connectionId;
        this.foundRows = foundRows;
        text = new SessionText(state);
        programs = new CalledPrograms(services, state, this::session);
        processes = new ProcessList(services, state);
    }

    ProcessList processes() {
        return processes;
    }

    CalledPrograms programs() {
        return programs;
    }

    /// @param why the backend runs something of this statement; empty where it does not
    void because(String why) {
        reason = why;
    }

    String reason() {
        return reason;
    }

    /// What a statement has set, and the warnings that it left.
    void learn(SessionTerms terms, Outcome outcome) {
        text.learn(terms, outcome);
        state.diagnostics().warned(outcome.conditions());
    }

    /// The values of user variables that a statement has told.
    Map<String, UserVariable> taken(SessionTerms sets, Outcome outcome) {
        state.diagnostics().warned(outcome.conditions());
        return text.taken(sets, outcome.then().iterator());
    }

    /// Edits that give the session's own terms to the backend.
    void forBackend(SessionTerms terms, Tokens tokens, Edits edits) {
        text.forBackend(terms, edits);
        ReplicaText.withPackets(services.limits().packetBytes(), tokens, edits);
    }

    BackendSession session() {
        return session(state.settings());
    }

    /// In which a program counts rows as the client does.
    BackendSession sessionOfCall() {
        return foundRows ? session() : session().countingChanged();
    }

    BackendSession session(List<String> assignments) {
        return new BackendSession(state.login(), state.database(), assignments, state.values());
    }

    /// Shows the client its own character sets and modes. What is sent is UTF-8 though, in which a
    /// server of another set may see a string end elsewhere, and has escapes: only texts of ASCII
    /// are sent so that have none.
    BackendSession shownSession(String text) {
        List<String> shown = state.shownSettings();
        boolean alike = state.escapes() || text.indexOf('\\') < 0;
        return alike && isAscii(text) && shown.stream().allMatch(BackendWording::isAscii)
                ? session(shown)
                : session();
    }

    static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < FIRST_OTHER);
    }

    /// Whether it may show a mode that the backend is told nothing of.
    boolean asksForMode(String text) {
        return !state.escapes() && Tokens.mentions(text, "SQL_MODE");
    }

    /// @throws QuireException where what it calls may change rows
    ToldStatement told(ClientStatement statement) {
        Tokens tokens = statement.tokens();
        boolean unguarded = ProgramWalk.callsStored(tokens, Set.of()); // which takes values
        return told(statement, programs.requireReading(tokens, unguarded));
    }

    /// @param moved the user variables that may be set by what it calls
    ToldStatement told(ClientStatement statement, Set<String> moved) {
        Tokens tokens = statement.tokens();
        requireNotOfLog(tokens);
        requireSameBeginning(statement);
        services.counters().fallback().increment();
        Edits edits = new Edits(tokens);
        ReplicaText.withLiterals(statement.bound(), tokens, edits);
        ReplicaText.withoutLog(tokens, edits);
        processes.instead(tokens, edits);
        ReplicaText.atOnce(tokens, edits);
        String told = edits.made();
        SessionTerms own = statement.ofSession() ? SessionTerms.of(tokens) : NO_TERMS;
        if (tokens.is(0, "DO") && StoredCalls.in(tokens, services.mariaDb())) {
            own = own.moving(SessionText.assigning(Set.of(), tokens, true).assigned());
        }
        boolean inserts = ClientStatement.inserts(tokens);
        SessionTerms terms = (inserts ? own.settingInsertId() : own).moving(moved);
        forBackend(terms, tokens, edits);
        NamedLocks.Named locked = NamedLocks.in(told);
        NamedLocks.apart(tokens, edits);
        if (!locked.asksWho()) { // which tells connections of the backend
            withConnectionId(tokens, edits);
        }
        Asked asked =
                new Asked(
                        edits.made(),
                        // columns with parameters are named after the text with its `?`
                        ReplicaText.selectsParameter(tokens) ? statement.sql() : told,
                        statement.binaryRows(),
                        state.statusFlags(statement.moreResults()),
                        SessionText.then(terms));
        return new ToldStatement(asked, terms, locked);
    }

    /// What begins in a comment for some versions may be a DELETE to a server that passes over it.
    private static void requireSameBeginning(ClientStatement statement) {
        if (statement.tokens().dependsOnVersion()
                && Tokens.of(statement.sql()).get(0) instanceof Token.VersionComment) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire does not support a statement that begins in a comment for some versions");
        }
    }

    /// A text of the tier's own for the session.
    Asked asked(Tokens tokens, SessionTerms terms, boolean binaryRows, int flags) {
        requireNotOfLog(tokens);
        Edits edits = new Edits(tokens);
        forBackend(terms, tokens, edits);
        withConnectionId(tokens, edits);
        String sql = edits.made();
        return new Asked(sql, sql, binaryRows, flags, SessionText.then(terms));
    }

    /// Quire's account sees the log, and so might an account that has a right on everything.
    void requireNotOfLog(Tokens tokens) {
        LogDatabase.namedBy(tokens)
                .ifPresent(table -> {
                    String user = state.login().name();
                    throw table.isEmpty()
                            ? new QuireException(
                                    ErrorCode.DATABASE_ACCESS_DENIED,
                                    "Access denied for user %s to database 'quire'".formatted(user))
                            : new QuireException(
                                    ErrorCode.TABLE_ACCESS_DENIED,
                                    "SELECT command denied to user %s for table `quire`.`%s`"
                                            .formatted(user, table));
                });
    }

    void withConnectionId(Tokens tokens, Edits edits) {
        ReplicaText.withValue(
                "CONNECTION_ID", "CAST(%d AS UNSIGNED)".formatted(connectionId), tokens, edits);
    }

    static String quoted(TableName table) {
        return "`%s`.`%s`"
                .formatted(table.database().replace("`", "``"), table.name().replace("`", "``"));
    }
}
