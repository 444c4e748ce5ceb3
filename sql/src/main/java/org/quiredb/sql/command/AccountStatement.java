package org.quiredb.sql.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// A statement that changes accounts, roles, or what they may do: which of them, and where.
///
/// @param accounts that it changes and that may be there already
/// @param made that it makes, or gives others' names
/// @param roles that it grants, makes somebody's, or takes away
/// @param own whether it means the account of who sends it
/// @param on what it grants rights on; empty where it grants none on anything
/// @param harmless whether it grants no right but to be there
public record AccountStatement(
        List<Name> accounts,
        List<Name> made,
        List<Name> roles,
        boolean own,
        Optional<On> on,
        boolean harmless) {
    private static final Set<String> ENDS =
            Set.of("IDENTIFIED", "REQUIRE", "WITH", "ACCOUNT", "PASSWORD", "ATTRIBUTE", "COMMENT");
    private static final Set<String> OBJECTS =
            Set.of("TABLE", "FUNCTION", "PROCEDURE", "PACKAGE", "BODY");
    private static final Set<String> OWN =
            Set.of("CURRENT_USER", "USER", "SESSION_USER", "SYSTEM_USER", "CURRENT_ROLE");

    /// @param host empty of a role, or where it is not said
    public record Name(String user, String host) {}

    /// @param database a pattern of databases; `*` for all, empty for the current one
    public record On(String database) {}

    public AccountStatement {
        accounts = List.copyOf(accounts);
        made = List.copyOf(made);
        roles = List.copyOf(roles);
    }

    /// Whether it is one, which its first words tell.
    public static boolean is(Tokens tokens) {
        int at = tokens.are(1, "OR", "REPLACE") ? 3 : 1;
        return switch (tokens.upper(0)) {
            case "GRANT", "REVOKE" -> true;
            case "CREATE" -> isAccount(tokens, at);
            case "DROP" -> isAccount(tokens, 1);
            case "ALTER", "RENAME" -> tokens.is(1, "USER");
            case "SET" ->
                    tokens.are(1, "DEFAULT", "ROLE")
                            || (tokens.is(1, "PASSWORD")
                                    && (tokens.is(2, "FOR") || tokens.is(2, '=')));
            default -> false;
        };
    }

    private static boolean isAccount(Tokens tokens, int at) {
        return tokens.is(at, "USER") || tokens.is(at, "ROLE");
    }

    /// Empty where that is not told by what it says.
    public static Optional<AccountStatement> of(Tokens tokens) {
        if (!is(tokens) || tokens.dependsOnVersion()) {
            return Optional.empty();
        }
        Reader reader = new Reader(tokens);
        return switch (tokens.upper(0)) {
            case "GRANT" -> reader.granted("TO");
            case "REVOKE" -> reader.granted("FROM");
            case "SET" -> reader.set();
            default -> reader.named();
        };
    }

    private static final class Reader {
        private final Tokens tokens;
        private final int end;
        private final List<Name> made = new ArrayList<>();
        private boolean own;
        private int at;

        Reader(Tokens tokens) {
            this.tokens = tokens;
            end = tokens.is(tokens.size() - 1, ';') ? tokens.size() - 1 : tokens.size();
        }

        private Optional<AccountStatement> named() {
            boolean replaces = tokens.are(1, "OR", "REPLACE");
            boolean creates = tokens.is(0, "CREATE") && !replaces;
            at = replaces ? 4 : 2;
            at += tokens.are(at, "IF", "EXISTS") ? 2 : tokens.is(at, "IF") ? 3 : 0;
            List<Name> names = new ArrayList<>();
            return names(names, tokens.is(0, "RENAME"))
                    ? Optional.of(
                            new AccountStatement(
                                    creates ? List.of() : names,
                                    creates ? names : made,
                                    List.of(),
                                    own,
                                    Optional.empty(),
                                    false))
                    : Optional.empty();
        }

        private Optional<AccountStatement> set() {
            boolean role = tokens.is(1, "DEFAULT");
            List<Name> roles = new ArrayList<>();
            List<Name> names = new ArrayList<>();
            at = role ? 3 : 2;
            if (role && !name(roles)) {
                return Optional.empty();
            }
            boolean named = tokens.is(at, "FOR");
            at += named ? 1 : 0;
            own |= !named;
            return (!named || name(names)) && (role || password()) && at == end
                    ? Optional.of(statement(names, roles, Optional.empty(), false))
                    : Optional.empty();
        }

        /// Nothing may stand behind it: a SET may have more to set.
        private boolean password() {
            boolean called = tokens.is(at + 2, '(') && tokens.is(at + 4, ')');
            boolean is = tokens.is(at, '=') && text(called ? at + 3 : at + 1).isPresent();
            at += called ? 5 : 2;
            return is;
        }

        /// @param word before those who are granted it
        private Optional<AccountStatement> granted(String word) {
            int to = next(word, 1);
            int on = next("ON", 1);
            boolean some = on > 0 && on < to;
            List<Name> names = new ArrayList<>();
            List<Name> roles = new ArrayList<>();
            at = to + 1;
            boolean everything = tokens.is(1, "ALL");
            if (to < 0 || !names(names, false)) {
                return Optional.empty();
            }
            if (!some && !everything) {
                at = tokens.are(1, "ADMIN", "OPTION", "FOR") ? 4 : 1;
                return names(roles, false) && at == to
                        ? Optional.of(statement(names, roles, Optional.empty(), false))
                        : Optional.empty();
            }
            boolean harmless = some && on == 2 && tokens.is(1, "USAGE") && end == at;
            Optional<On> where = some ? on(on + 1, to) : Optional.empty();
            return some && where.isEmpty()
                    ? Optional.empty()
                    : Optional.of(statement(names, roles, where, harmless));
        }

        private AccountStatement statement(
                List<Name> names, List<Name> roles, Optional<On> on, boolean harmless) {
            return new AccountStatement(names, List.of(), roles, own, on, harmless);
        }

        private Optional<On> on(int from, int to) {
            int first = from;
            while (OBJECTS.contains(tokens.upper(first)) && first + 1 < to) {
                first++;
            }
            boolean all = tokens.is(first, '*');
            if (tokens.is(first + 1, '.') && first + 3 == to) {
                return all ? Optional.of(new On("*")) : Optional.of(new On(tokens.name(first)));
            }
            boolean named = all || tokens.isName(first);
            return named && first + 1 == to && !tokens.is(from - 2, "PROXY")
                    ? Optional.of(new On(""))
                    : Optional.empty();
        }

        /// @param pairs whether each is followed by another one
        private boolean names(List<Name> names, boolean pairs) {
            do {
                if (!name(names)) {
                    return false;
                }
                if (pairs) {
                    if (!tokens.is(at, "TO")) {
                        return false;
                    }
                    at++;
                    if (!name(made)) {
                        return false;
                    }
                }
                skipPassword();
            } while (tokens.is(at, ',') && at++ < end);
            return at == end || ENDS.contains(tokens.upper(at)) || isBehindRoles();
        }

        private boolean isBehindRoles() {
            return tokens.is(at, "TO") || tokens.is(at, "FROM") || tokens.is(at, "DEFAULT");
        }

        /// How one is known, up to the next one.
        private void skipPassword() {
            if (!tokens.is(at, "IDENTIFIED")) {
                return;
            }
            int depth = 0;
            while (at < end
                    && !(depth == 0
                            && (tokens.is(at, ',')
                                    || tokens.is(at, "REQUIRE")
                                    || (tokens.is(at, "WITH") && !tokens.is(at - 1, "IDENTIFIED"))
                                    || tokens.is(at, "ACCOUNT")))) {
                depth += tokens.is(at, '(') ? 1 : tokens.is(at, ')') ? -1 : 0;
                at++;
            }
        }

        private boolean name(List<Name> names) {
            if (at >= end) {
                return false;
            }
            boolean quoted = tokens.get(at) instanceof Token.Quoted;
            if (!quoted && OWN.contains(tokens.upper(at))) {
                own = true;
                at += tokens.is(at + 1, '(') && tokens.is(at + 2, ')') ? 3 : 1;
                return true;
            }
            Optional<String> user = text(at);
            if (user.isEmpty()) {
                return false;
            }
            at++;
            String host = "";
            if (tokens.is(at, '@') && at + 1 < end) {
                at++;
                Optional<String> whole =
                        tokens.get(at) instanceof Token.Word ? Optional.empty() : text(at);
                int from = at;
                do {
                    at++;
                } while (whole.isEmpty() && at < end && isOfHost(at));
                host = whole.orElse(tokens.text(from, at));
            }
            names.add(new Name(user.get(), host));
            return true;
        }

        /// A name or an address that is not in quotes.
        private boolean isOfHost(int where) {
            Token token = tokens.get(where);
            boolean part =
                    token instanceof Token.Word
                            || tokens.is(where, '.')
                            || (token instanceof Token.Constant && text(where).isEmpty());
            return part && !token.spaced();
        }

        private Optional<String> text(int where) {
            if (where >= end) {
                return Optional.empty();
            }
            return tokens.get(where) instanceof Token.Constant constant
                            && constant.value() instanceof SqlValue.StringValue(String text)
                    ? Optional.of(text)
                    : tokens.isName(where) ? Optional.of(tokens.name(where)) : Optional.empty();
        }

        private int next(String word, int from) {
            int depth = 0;
            for (int i = from; i < end; i++) {
                depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
                if (depth == 0 && tokens.is(i, word) && !tokens.is(i - 1, '.')) {
                    return i;
                }
            }
            return -1;
        }
    }
}
