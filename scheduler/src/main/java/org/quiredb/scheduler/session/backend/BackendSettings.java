package org.quiredb.scheduler.session.backend;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.characters.CharacterSets;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.connection.BackendSession;
import org.quiredb.scheduler.fallback.connection.Server;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.sql.command.SettingTerms;
import org.quiredb.sql.text.Tokens;

/// What the backend says of a session's settings, and of what is to be set. What depends on nothing
/// else is asked once ({@link org.quiredb.scheduler.fallback.connection.SettingAnswers}).
///
/// Threads: owned by the session's thread.
public final class BackendSettings {
    /// Whatever sql_select_limit the session has.
    private static final String ONE_ROW = " LIMIT 1";

    private static final String CHARACTER_SETS =
            "SELECT @@character_set_client, @@character_set_results, @@collation_connection"
                    + ONE_ROW;

    private static final String ZONE = "SELECT @@time_zone, " + Server.IS_UTC + ONE_ROW;

    /// A time zone of the backend.
    ///
    /// @param utc whether it is UTC, whatever it is called
    public record Zone(String name, boolean utc) {
        public static final Zone UTC = new Zone("+00:00", true);
    }

    private record Checked(String assignment) {}

    private record Value(String expression) {}

    private final Services services;
    private final SessionState state;
    private final Fallback fallback;

    BackendSettings(Services services, SessionState state, Fallback fallback) {
        this.services = services;
        this.state = state;
        this.fallback = fallback;
    }

    /// What the backend says of settings: asked once where it depends on nothing else.
    ///
    /// @param ofSettings whether the text is of nothing else; the session's may be of more
    <T> T of(
            BackendSession session,
            Object asked,
            boolean ofSettings,
            String text,
            Class<T> type,
            Supplier<T> ask) {
        return ofSettings && session.assignments().stream().allMatch(BackendSettings::isConstant)
                ? services.backend().settings().of(session, asked, text.length(), type, ask)
                : ask.get();
    }

    private <T> T of(
            BackendSession session, Object asked, String text, Class<T> type, Supplier<T> ask) {
        return of(session, asked, isConstant(text), text, type, ask);
    }

    static boolean isConstant(String text) {
        return SettingTerms.constant(Tokens.of(text).plain());
    }

    /// Whether the backend tells tables apart by capital letters.
    public boolean lettersDiffer() {
        return number(fallback.session(), "@@lower_case_table_names", "@@lower_case_table_names")
                == 0;
    }

    private void requireHarmless(String partOfSet) {
        Tokens tokens = Tokens.of(partOfSet).plain();
        fallback.requireNotOfLog(tokens);
        NamedLocks.requireNone(tokens);
        if (!fallback.programs().requireReading(tokens).isEmpty()) { // it is made again and again
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire does not support a stored function with user variables in SET of a setting");
        }
    }

    /// Has the backend check an assignment by making it.
    public void check(String assignment) {
        requireHarmless(assignment);
        BackendSession session = fallback.session();
        Checked checked = new Checked(assignment);
        Checked _ =
                of(
                        session,
                        checked,
                        assignment,
                        Checked.class,
                        () -> {
                            services.backend().check(session, assignment);
                            return checked;
                        });
    }

    /// What an expression comes to.
    public double number(String expression) {
        requireHarmless(expression);
        if (ProgramWalk.mayHide(Tokens.of(expression).plain(), services.mariaDb())) {
            check("DO " + expression); // where nothing can be changed
        }
        return number(fallback.session(), "(" + expression + ")", expression);
    }

    /// @param text all that the answer depends on but the session
    private double number(BackendSession session, String expression, String text) {
        return of(
                session,
                new Value(expression),
                text,
                Double.class,
                () -> {
                    String value =
                            services.backend()
                                    .values(session, "SELECT 0e0 + " + expression + ONE_ROW)
                                    .getFirst();
                    return value == null ? 0 : Double.parseDouble(value);
                });
    }

    /// What a variable is once an assignment is made.
    ///
    /// @throws StatementFailed where it cannot be made
    public double number(String assignment, String variable) {
        requireHarmless(assignment);
        List<String> assignments = state.settings();
        assignments.add(assignment);
        return number(fallback.session(assignments), variable, assignment);
    }

    /// What the session's assignments and one more come to, whatever expressions they are.
    public BackendModes modes(String assignment) {
        requireHarmless(assignment);
        List<String> assignments = new ArrayList<>(fallback.shownSession(assignment).assignments());
        assignments.add(assignment);
        return modes(fallback.session(assignments), assignment);
    }

    /// What the session's assignments come to, beside the backend's own defaults.
    public BackendModes modes() {
        return modes(fallback.shownSession(""), "");
    }

    private BackendModes modes(BackendSession session, String assignment) {
        return of(
                session,
                BackendModes.class,
                assignment,
                BackendModes.class,
                () -> {
                    List<@Nullable String> values =
                            services.backend()
                                    .values(
                                            session,
                                            "SELECT @@foreign_key_checks, @@sql_mode"
                                                    + "/*M! , @@check_constraint_checks */"
                                                    + ONE_ROW);
                    String sqlMode = values.get(1);
                    return new BackendModes(
                            "0".equals(values.get(0)),
                            values.size() > 2 && "0".equals(values.get(2)),
                            sqlMode == null ? "" : sqlMode);
                });
    }

    /// The session's character sets once an assignment is made.
    public CharacterSets characterSets(String assignment) {
        requireHarmless(assignment);
        List<String> assignments = state.shownSettings();
        assignments.add(assignment);
        if (!assignments.stream().allMatch(BackendWording::isAscii)) { // as of shownSession
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire does not support a character set where settings have other characters than ASCII");
        }
        BackendSession session = fallback.session(assignments);
        return of(
                session,
                CharacterSets.class,
                assignment,
                CharacterSets.class,
                () -> {
                    List<@Nullable String> values =
                            services.backend().values(session, CHARACTER_SETS);
                    return new CharacterSets(
                            String.valueOf(values.get(0)),
                            Objects.requireNonNullElse(values.get(1), "NULL"),
                            String.valueOf(values.get(2)));
                });
    }

    /// The session's time zone once an assignment is made.
    public Zone zone(String assignment) {
        requireHarmless(assignment);
        List<String> assignments = state.settings();
        assignments.add(assignment);
        BackendSession session = fallback.session(assignments);
        return of(
                session,
                Zone.class,
                assignment,
                Zone.class,
                () -> {
                    List<@Nullable String> values = services.backend().values(session, ZONE);
                    return new Zone(String.valueOf(values.getFirst()), "1".equals(values.get(1)));
                });
    }
}
