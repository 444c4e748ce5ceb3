package org.quiredb.scheduler.session.statement;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.account.Account;
import org.quiredb.scheduler.account.Login;
import org.quiredb.scheduler.account.Need;
import org.quiredb.scheduler.account.Privilege;
import org.quiredb.scheduler.account.Rights;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.sql.tree.TableName;

/// Whether the session's client may run a statement.
///
/// What Quire runs itself, or has run by its own account, is checked here, before anything of it
/// runs. What a backend runs with the client's own rights the backend checks.
///
/// Threads: owned by the session's thread.
public final class Permissions {
    private final Services services;
    private final SessionState state;
    private final Fallback fallback;

    Permissions(Services services, SessionState state, Fallback fallback) {
        this.services = services;
        this.state = state;
        this.fallback = fallback;
    }

    private Login login() {
        return state.login();
    }

    private Rights rights() {
        return services.accounts().rights(login());
    }

    /// Whether Quire may run a read itself. If not, the backend is to answer: it may know of rights
    /// that Quire does not, on single columns, by a role, or of a view's definer.
    boolean allow(Classification.Read read) {
        return isConfigured() || lacking(read.needs()).isEmpty();
    }

    /// As allow, where nothing may be waited for.
    ///
    /// @param known of tables
    boolean allow(Classification.Read read, Catalogue known) {
        return isConfigured() || lacking(read.needs(), () -> known).isEmpty();
    }

    /// @throws QuireException when the client may not
    void require(Classification kind, ClientStatement statement) {
        boolean ofRows = !(kind instanceof Classification.SchemaChange);
        boolean known = ofRows || !statement.tokens().dependsOnVersion();
        List<Need> needs =
                known ? kind.needs() : Need.EVERYTHING; // a backend may read another text
        if (needs.equals(Need.EVERYTHING)) {
            fallback.requireNotOfLog(statement.tokens());
        }
        lacking(needs)
                .ifPresent(need -> {
                    if (ofRows && need.database().equals(Need.ANYWHERE)) {
                        fallback.refuse(statement.sql());
                    }
                    throw denied(need);
                });
    }

    /// As {@link #require}, of what a backend runs: what Quire cannot tell that knows.
    void requireKnown(Classification kind, ClientStatement statement) {
        try {
            require(kind, statement);
        } catch (QuireException e) {
            if (!Fallback.isRefusal(e)) {
                throw e;
            }
        }
    }

    /// Whether it may end the clients of other accounts than its own.
    public boolean overAnybody() {
        return lacking(Need.EVERYTHING).isEmpty();
    }

    public static QuireException notOwner(long id) {
        return new QuireException(
                ErrorCode.NOT_OWNER_OF_THREAD, "You are not owner of thread " + id);
    }

    /// @throws QuireException when the database is out of any client's reach
    void requireNotHidden(String database) {
        if (Rights.isHidden(database)) {
            throw noDatabase(database);
        }
    }

    /// Whether Quire knows that the client may make it the current one.
    boolean reach(String database) {
        return rights().reaches(database);
    }

    private boolean isConfigured() {
        return login().account().origin() == Account.Origin.CONFIGURATION;
    }

    private Optional<Need> lacking(List<Need> needs) {
        return lacking(needs, services.cluster()::catalogue);
    }

    private Optional<Need> lacking(List<Need> needs, Supplier<Catalogue> catalogue) {
        Rights rights = rights();
        for (Need need : needs) {
            Need known = qualified(need, catalogue);
            if (!rights.allows(known) && !isDual(need, known, catalogue)) {
                return Optional.of(known);
            }
        }
        return Optional.empty();
    }

    /// The table of no rows' own, unless there is one of the name.
    private static boolean isDual(Need need, Need known, Supplier<Catalogue> catalogue) {
        return need.privilege() == Privilege.SELECT
                && need.database().isEmpty()
                && need.table().equalsIgnoreCase("dual")
                && catalogue.get().table(new TableName(known.database(), known.table())).isEmpty();
    }

    /// With the current database, and by the name that the tier knows the table by, whatever case
    /// the statement has it in.
    private Need qualified(Need need, Supplier<Catalogue> catalogue) {
        if (need.database().equals(Need.ANYWHERE)) {
            return need;
        }
        String database = need.database().isEmpty() ? state.database() : need.database();
        TableName named = new TableName(database, need.table());
        return catalogue
                .get()
                .table(named)
                .map(entry ->
                        new Need(
                                need.privilege(),
                                entry.definition().schema(),
                                entry.definition().name(),
                                need.column()))
                .orElse(new Need(need.privilege(), database, need.table(), need.column()));
    }

    private QuireException denied(Need need) {
        String command = need.privilege().words();
        if (need.database().equals(Need.ANYWHERE)) {
            return new QuireException(
                    ErrorCode.SPECIFIC_ACCESS_DENIED,
                    "Access denied; you need (at least one of) the %s privilege(s) on *.* for this operation, as Quire cannot tell which tables it is about"
                            .formatted(command));
        }
        if (need.database().isEmpty()) {
            return new QuireException(ErrorCode.NO_DATABASE_SELECTED, "No database selected");
        }
        if (need.table().isEmpty()) {
            return noDatabase(need.database());
        }
        if (need.column().isEmpty()) {
            return new QuireException(
                    ErrorCode.TABLE_ACCESS_DENIED,
                    "%s command denied to user %s for table `%s`.`%s`"
                            .formatted(command, login().name(), need.database(), need.table()));
        }
        return new QuireException(
                ErrorCode.COLUMN_ACCESS_DENIED,
                "%s command denied to user %s for column '%s' in table '%s'"
                        .formatted(command, login().name(), need.column(), need.table()));
    }

    private QuireException noDatabase(String database) {
        return new QuireException(
                ErrorCode.DATABASE_ACCESS_DENIED,
                "Access denied for user '%s'@'%s' to database '%s'"
                        .formatted(login().account().user(), login().account().host(), database));
    }
}
