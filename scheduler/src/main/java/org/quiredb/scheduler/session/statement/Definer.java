package org.quiredb.scheduler.session.statement;

import java.util.Set;
import org.quiredb.scheduler.account.Account;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Tokens;

/// Names the client's account as the definer of views and stored programs that it makes without
/// saying whose: Quire's account, which carries schema changes out, would be it, and whoever used
/// them would do so with its rights.
final class Definer {
    private static final Set<String> HAVE_ONE =
            Set.of("VIEW", "SQL", "FUNCTION", "PROCEDURE", "AGGREGATE", "TRIGGER");

    private Definer() {}

    /// @return the text with a definer where one is missing; of an account of the configuration,
    ///   which the backend does not have, as it is
    static String in(Tokens tokens, Account account) {
        int at = tokens.are(1, "OR", "REPLACE") ? 3 : 1;
        at += tokens.is(at, "ALGORITHM") ? 3 : 0; // = and its name
        boolean made = tokens.is(0, "CREATE") || (tokens.is(0, "ALTER") && isView(tokens, at));
        if (!made
                || !HAVE_ONE.contains(tokens.upper(at))
                || account.origin() == Account.Origin.CONFIGURATION) {
            return tokens.text();
        }
        Edits edits = new Edits(tokens);
        edits.before(
                at, "DEFINER = %s@%s ".formatted(quoted(account.user()), quoted(account.host())));
        return edits.made();
    }

    /// Of functions and procedures ALTER does not change whose they are.
    private static boolean isView(Tokens tokens, int at) {
        return tokens.is(at, "VIEW") || tokens.is(at, "SQL");
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }
}
