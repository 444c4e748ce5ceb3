package org.quiredb.scheduler.session.statement;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.account.Account;
import org.quiredb.scheduler.account.Rights;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.connection.Outcome;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.transaction.Transactions;
import org.quiredb.sql.command.AccountStatement;
import org.quiredb.sql.command.AccountStatement.Name;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// Changes of accounts, roles and rights: the backend makes them, with the rights of the client,
/// and every scheduler has read them when the client is told.
///
/// An account of the configuration has every right on clients' databases, and Quire's own account,
/// which runs its statements there, has more. So it may make accounts and grant rights on clients'
/// databases, and changes no account that has rights beyond these.
///
/// Nobody changes Quire's own account, or makes another of its name, which a server might take for
/// it.
///
/// Threads: owned by the session's thread.
final class AccountChanges {
    /// There is no such account, or no such role.
    private static final Set<Integer> IS_NONE = Set.of(1133, 1141, 1959);

    /// Roles that are granted to roles.
    private static final int MOST_ROLES = 100;

    private final Services services;
    private final SessionState state;
    private final Transactions transactions;
    private final Fallback fallback;

    AccountChanges(
            Services services, SessionState state, Transactions transactions, Fallback fallback) {
        this.services = services;
        this.state = state;
        this.transactions = transactions;
        this.fallback = fallback;
    }

    void run(ClientStatement statement, Output output) {
        Tokens tokens = statement.tokens();
        if (services.backend().several()) {
            throw unsupported("changes of accounts over several backends; make them at each");
        }
        fallback.requireNotOfLog(tokens);
        requireNotOwn(tokens);
        if (state.login().account().origin() == Account.Origin.CONFIGURATION) {
            requireOfClients(
                    AccountStatement.of(tokens)
                            .orElseThrow(() ->
                                    unsupported(
                                            "such a change of accounts by the account of the configuration")));
        }
        transactions.end(true);
        state.forgetNext();
        Outcome outcome;
        try {
            outcome = fallback.change(statement);
        } catch (StatementFailed e) { // of several accounts it may have changed some
            services.cluster().companions().accountsChanged(services.accounts()::readAnew);
            throw e;
        } catch (QuireException e) {
            throw e.code() != ErrorCode.TIER_UNAVAILABLE
                    ? e
                    : new QuireException(
                            ErrorCode.SERVER_SHUTDOWN,
                            "the backend was lost while it changed accounts, and may have done so; look at SHOW GRANTS: "
                                    + e.getMessage(),
                            e);
        }
        services.cluster().companions().accountsChanged(services.accounts()::readAnew);
        output.ok(
                outcome.affectedRows(),
                outcome.insertId(),
                state.statusFlags(statement.moreResults()),
                outcome.conditions().size(),
                outcome.info());
    }

    /// Wherever it stands: a password that is Quire's name is a bad one.
    private void requireNotOwn(Tokens tokens) {
        String own =
                services.backend().own("SELECT SUBSTRING_INDEX(CURRENT_USER(), '@', 1)").getFirst();
        for (int i = 1; i < tokens.size(); i++) {
            boolean name = isSame(tokens.name(i), own);
            boolean text =
                    tokens.get(i) instanceof Token.Constant constant
                            && isSame(constant.plainText(), own);
            boolean ofObject = tokens.is(i + 1, '.') || tokens.is(i - 1, '.');
            if ((name || text) && !ofObject && !isPassword(tokens, i)) {
                throw unsupported(
                        "changes of its own account at the backend, or of one of the same name; make them there");
            }
        }
        if (tokens.dependsOnVersion()) {
            throw unsupported("a comment for some versions in a change of accounts");
        }
    }

    /// A server looks its tables up without regard to spaces at the end.
    private static boolean isSame(String name, String own) {
        return name.stripTrailing().equals(own);
    }

    private static boolean isPassword(Tokens tokens, int at) {
        return tokens.is(at - 1, "BY")
                || tokens.is(at - 1, "PASSWORD")
                || tokens.is(at - 1, '=')
                || (tokens.is(at - 1, '(') && tokens.is(at - 2, "PASSWORD"));
    }

    private void requireOfClients(AccountStatement change) {
        if (change.own()) {
            throw unsupported(
                    "changes of the account of the configuration (scheduler.user) by SQL; change the configuration");
        }
        String database = change.on().map(AccountStatement.On::database).orElse(null);
        if (database != null && !change.harmless()) {
            String pattern = database.isEmpty() ? state.database() : database;
            if (pattern.isEmpty()) {
                throw new QuireException(ErrorCode.NO_DATABASE_SELECTED, "No database selected");
            }
            if (pattern.equals("*") || !Rights.isOfClients(pattern)) {
                throw new QuireException(
                        ErrorCode.SPECIFIC_ACCESS_DENIED,
                        "Access denied; the account of the configuration grants rights on clients' databases only; log in as an account of the backend that may");
            }
        }
        if (Stream.of(change.accounts(), change.made(), change.roles())
                .flatMap(List::stream)
                .anyMatch(name -> name.user().endsWith(" ") || name.host().endsWith(" "))) {
            throw unsupported( // that may be somebody's without it, of whom its grants tell nothing
                    "a name of an account with a space at its end");
        }
        Stream.concat(change.accounts().stream(), change.roles().stream())
                .forEach(this::requireOfClients);
    }

    /// What was granted to it, and to its roles, is on clients' databases.
    private void requireOfClients(Name name) {
        Set<String> seen = new HashSet<>();
        Deque<String> open = new ArrayDeque<>();
        String role = quoted(name.user());
        open.add(name.host().isEmpty() ? role : role + "@" + quoted(name.host()));
        if (name.host().isEmpty()) {
            open.add(role + "@'%'");
        }
        while (!open.isEmpty()) {
            String one = open.remove();
            if (!seen.add(one)) {
                continue;
            }
            for (String grant : grants(one)) {
                Tokens tokens = Tokens.of(grant);
                if (seen.size() > MOST_ROLES || isBeyond(tokens)) {
                    throw new QuireException(
                            ErrorCode.SPECIFIC_ACCESS_DENIED,
                            "Access denied; the account of the configuration changes no account with rights beyond clients' databases, as %s has; log in as an account of the backend that may"
                                    .formatted(name.user()));
                }
                if (tokens.is(0, "GRANT") && tokens.is(2, "TO")) {
                    open.add(quoted(tokens.name(1)));
                }
            }
        }
    }

    private List<String> grants(String account) {
        try {
            return services.backend().own("SHOW GRANTS FOR " + account);
        } catch (StatementFailed e) {
            if (!IS_NONE.contains(e.number())) {
                throw e;
            }
            return List.of();
        }
    }

    private static boolean isBeyond(Tokens tokens) {
        for (int i = 1; i < tokens.size(); i++) {
            if (tokens.is(i, "TO")) {
                return false;
            }
            if (tokens.is(i, "ON")) {
                boolean all = tokens.is(i + 1, '*');
                boolean usage = tokens.is(1, "USAGE") && i == 2 && !tokens.has("OPTION");
                boolean ofObject = !tokens.is(i + 2, '.');
                String database = tokens.name(ofObject ? i + 2 : i + 1);
                return all ? !usage : tokens.is(1, "PROXY") || !Rights.isOfClients(database);
            }
        }
        return false;
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    private static QuireException unsupported(String what) {
        return new QuireException(ErrorCode.NOT_SUPPORTED_YET, "Quire does not support " + what);
    }
}
