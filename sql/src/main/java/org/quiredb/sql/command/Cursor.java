package org.quiredb.sql.command;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Goes through tokens, and takes what it is told to if that is there.
///
/// Threads: one.
final class Cursor {
    final Tokens tokens;
    int at;

    Cursor(Tokens tokens, int at) {
        this.tokens = tokens;
        this.at = at;
    }

    boolean ended() {
        return at >= tokens.size();
    }

    boolean take(String word) {
        boolean there = tokens.is(at, word);
        at += there ? 1 : 0;
        return there;
    }

    boolean take(char symbol) {
        boolean there = tokens.is(at, symbol);
        at += there ? 1 : 0;
        return there;
    }

    boolean takeOneOf(Set<String> words) {
        boolean there = words.contains(tokens.upper(at));
        at += there ? 1 : 0;
        return there;
    }

    /// Null when there is none.
    @Nullable TableName table() {
        if (!tokens.isName(at)) {
            return null;
        }
        String first = tokens.name(at++);
        if (!take('.')) {
            return new TableName("", first);
        }
        return tokens.isName(at) ? new TableName(first, tokens.name(at++)) : null;
    }
}
