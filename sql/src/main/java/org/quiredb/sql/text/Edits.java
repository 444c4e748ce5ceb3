package org.quiredb.sql.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Changes of a text at the places of its tokens, made all at once.
///
/// Threads: one.
public final class Edits {
    private record Edit(int start, int end, String text) {}

    private final Tokens tokens;
    private final List<Edit> edits = new ArrayList<>();

    public Edits(Tokens tokens) {
        this.tokens = tokens;
    }

    /// @param to after the last token that is replaced
    public void replace(int from, int to, String text) {
        edits.add(new Edit(tokens.start(from), tokens.end(to - 1), text));
    }

    public void before(int token, String text) {
        edits.add(new Edit(tokens.start(token), tokens.start(token), text));
    }

    public void after(int token, String text) {
        edits.add(new Edit(tokens.end(token), tokens.end(token), text));
    }

    /// The text with all of them.
    public String made() {
        if (edits.isEmpty()) {
            return tokens.text();
        }
        edits.sort(Comparator.comparingInt(Edit::start).thenComparingInt(Edit::end));
        String sql = tokens.text();
        StringBuilder text = new StringBuilder(sql.length());
        int copied = 0;
        for (Edit edit : edits) {
            text.append(sql, copied, edit.start()).append(edit.text());
            copied = edit.end();
        }
        return text.append(sql, copied, sql.length()).toString();
    }
}
