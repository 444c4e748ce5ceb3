package org.quiredb.scheduler.session;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.classify.Token;
import org.quiredb.scheduler.classify.Tokens;

/// Clients' named locks on a backend, in a space of their own: the persistence loggers keep one
/// another out by such locks there, and who took theirs would stop the tier.
///
/// A name is an expression, so each gets what no name of the loggers begins with.
final class NamedLocks {
    private static final Set<String> FUNCTIONS =
            Set.of("GET_LOCK", "RELEASE_LOCK", "IS_FREE_LOCK", "IS_USED_LOCK");
    private static final Pattern NAMED =
            Pattern.compile(String.join("|", FUNCTIONS), Pattern.CASE_INSENSITIVE);
    private static final String BEGIN = "CONCAT('c/', ";

    private NamedLocks() {}

    /// The text with every name of a lock in that space.
    ///
    /// @throws QuireException when the text alone does not tell where they are
    static String apart(String sql) {
        if (!NAMED.matcher(sql).find()) {
            return sql;
        }
        if (Tokens.dependsOnVersion(sql)) {
            throw refused("named locks beside comments for some versions only");
        }
        List<Token> tokens = Tokens.of(sql);
        StringBuilder text = new StringBuilder();
        Deque<Boolean> names = new ArrayDeque<>(); // whether each parenthesis begins with one
        int copied = 0;
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.is("(")) {
                boolean lock = i > 0 && isLock(tokens, i - 1);
                names.push(lock);
                text.append(sql, copied, token.end()).append(lock ? BEGIN : "");
                copied = token.end();
            } else if (!names.isEmpty() && (token.is(",") || token.is(")"))) {
                boolean name = names.pop();
                text.append(sql, copied, token.start()).append(name ? ")" : "");
                copied = token.start();
                if (token.is(",")) {
                    names.push(false);
                }
            }
        }
        return text.append(sql, copied, sql.length()).toString();
    }

    private static boolean isLock(List<Token> tokens, int i) {
        Token name = tokens.get(i);
        boolean called = name.kind() == Token.Kind.WORD || name.kind() == Token.Kind.QUOTED_WORD;
        boolean stored = i > 0 && tokens.get(i - 1).is("."); // a function of somebody's own
        return called && !stored && FUNCTIONS.contains(name.text().toUpperCase(Locale.ROOT));
    }

    /// A SET is made again on each connection that comes to work for the session.
    static void requireNone(String assignment) {
        if (!apart(assignment).equals(assignment)) {
            throw refused("named locks in SET");
        }
    }

    private static QuireException refused(String what) {
        return new QuireException(ErrorCode.NOT_SUPPORTED_YET, "Quire does not support " + what);
    }
}
