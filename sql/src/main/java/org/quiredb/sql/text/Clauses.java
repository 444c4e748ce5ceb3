package org.quiredb.sql.text;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Set;
import org.quiredb.common.sql.SqlValue;

/// Follows a statement's clauses token by token and says where a constant has to stay in the text:
/// where its value decides the result's columns, the grouping or order, or a type, or is none that
/// may stand there.
///
/// Threads: one.
final class Clauses {
    private static final Set<String> FREE_FROM_HERE =
            Set.of("WHERE", "HAVING", "ON", "SET", "VALUES", "VALUE", "LIMIT", "OFFSET");
    private static final Set<String> WITH_SIZE =
            Set.of(
                    "DECIMAL",
                    "DEC",
                    "NUMERIC",
                    "CHAR",
                    "VARCHAR",
                    "NCHAR",
                    "BINARY",
                    "VARBINARY",
                    "DATETIME",
                    "TIME",
                    "TIMESTAMP",
                    "FLOAT",
                    "DOUBLE",
                    "NOW",
                    "SYSDATE",
                    "CURTIME",
                    "CURRENT_TIME",
                    "CURRENT_TIMESTAMP",
                    "LOCALTIME",
                    "LOCALTIMESTAMP",
                    "UTC_TIME",
                    "UTC_TIMESTAMP");
    private static final Set<String> BEFORE_A_CONSTANT =
            Set.of("INTERVAL", "ESCAPE", "SEPARATOR", "COLLATE");

    private final Deque<Frame> frames = new ArrayDeque<>();
    private String before = "";

    /// What one pair of parentheses holds.
    private static final class Frame {
        private boolean keeps;
        private boolean selects;
        private boolean limits;

        Frame(boolean keeps) {
            this.keeps = keeps;
        }
    }

    Clauses() {
        frames.push(new Frame(false));
    }

    /// Whether a constant that comes now stays as it is.
    boolean keeps(Token.Constant constant) {
        Frame frame = frames.getFirst();
        return frame.keeps
                || BEFORE_A_CONSTANT.contains(before)
                || (frame.limits && !(constant.value() instanceof SqlValue.IntegerValue));
    }

    /// Whether a string that comes now is the name of a column.
    boolean namesColumn() {
        return before.equals("AS");
    }

    void pass(Token token) {
        switch (token) {
            case Token.Word word -> word(word.text().toUpperCase(Locale.ROOT));
            case Token.Symbol symbol -> symbol(symbol.character());
            case Token.VersionComment comment -> {}
            case Token.Quoted quoted -> before = "";
            case Token.Constant constant -> before = "";
            case Token.Marker marker -> before = "";
        }
    }

    private void word(String word) {
        Frame frame = frames.getFirst();
        frame.limits = word.equals("LIMIT") || (frame.limits && word.equals("OFFSET"));
        if (word.equals("SELECT")) {
            frame.selects = true;
            frame.keeps = true;
        } else if (word.equals("FROM") && frame.selects) {
            frame.keeps = false;
        } else if (FREE_FROM_HERE.contains(word) && (frame.selects || frames.size() == 1)) {
            frame.keeps = false;
        } else if (word.equals("BY") && (before.equals("ORDER") || before.equals("GROUP"))) {
            frame.keeps = true;
        }
        before = word;
    }

    private void symbol(char c) {
        if (c == '(') {
            frames.push(new Frame(frames.getFirst().keeps || WITH_SIZE.contains(before)));
        } else if (c == ')' && frames.size() > 1) {
            frames.pop();
        }
        before = "";
    }
}
