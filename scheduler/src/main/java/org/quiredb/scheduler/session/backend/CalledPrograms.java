package org.quiredb.scheduler.session.backend;

import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.fallback.connection.BackendLogin;
import org.quiredb.scheduler.fallback.connection.BackendSession;
import org.quiredb.scheduler.fallback.connection.Routines;
import org.quiredb.scheduler.fallback.connection.SeenRoutines;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// The stored programs that a session's statement calls, as they were when it first came to them.
///
/// Threads: owned by the session's thread.
public final class CalledPrograms {
    private final Services services;
    private final SessionState state;
    private final Supplier<BackendSession> session;
    private @Nullable Called called;
    private @Nullable Routines routines;

    /// @param session in which a client is shown procedures
    CalledPrograms(Services services, SessionState state, Supplier<BackendSession> session) {
        this.services = services;
        this.state = state;
        this.session = session;
    }

    /// A statement is run again as something was not what it had been looked at as: nothing counts
    /// of what its programs were then.
    public void forget() {
        called = null;
        routines = null;
    }

    /// The stored programs as Quire's own account is shown them, each as it was when the statement
    /// first came to it.
    public Routines routines() {
        Routines known = routines;
        if (known == null) {
            known = new SeenRoutines(services.backend().routines());
            routines = known;
        }
        return known;
    }

    private record ShownTo(BackendLogin login, TableName procedure) {}

    /// Whether the client is shown that there is such a procedure. Whether it may call one the
    /// server tells when it does.
    public boolean isShown(TableName procedure) {
        BackendSession own = session.get();
        return services.backend()
                .definitions()
                .of(
                        services.cluster().schemaChanges(),
                        new ShownTo(own.login(), procedure),
                        Boolean.class,
                        () -> services.backend().isShown(own, procedure));
    }

    /// @return the user variables that what it calls may set
    /// @throws QuireException where what it calls may change rows
    public Set<String> requireReading(Tokens tokens) {
        return requireReading(tokens, false);
    }

    /// @param byViews as of {@link ProgramWalk}: where it does not run in what only reads
    Set<String> requireReading(Tokens tokens, boolean byViews) {
        return called(tokens, byViews).map(ProgramWalk::requireReading).orElse(Set.of());
    }

    /// @param database the current one then
    private record Called(
            String text, boolean byViews, String database, Optional<ProgramWalk> walk) {
        boolean isOf(String other, boolean alsoByViews, String in) {
            return text.equals(other) && (byViews || !alsoByViews) && database.equals(in);
        }
    }

    /// What a statement's stored functions do, as they are when it begins: the backend is asked
    /// once.
    ///
    /// @param byViews as of {@link ProgramWalk}
    public Optional<ProgramWalk> called(Tokens tokens, boolean byViews) {
        Called known = called;
        String database = state.database();
        if (known == null || !known.isOf(tokens.text(), byViews, database)) {
            known =
                    new Called(
                            tokens.text(),
                            byViews,
                            database,
                            ProgramWalk.called(
                                    tokens,
                                    byViews,
                                    database,
                                    services.mariaDb(),
                                    services.cluster()::catalogue,
                                    this::routines));
            called = known;
        }
        return known.walk;
    }
}
