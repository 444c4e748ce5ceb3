package org.quiredb.master.schema;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.text.Token;

/// What a DDL statement names.
///
/// @param wholeDatabase the schema that it creates, changes or drops as a whole
/// @param tables those that it changes, under their old and new names
/// @param parents those that its foreign keys refer to
/// @param sources names after FROM and the like: of tables that are read, or of columns
record SchemaStatement(
        Optional<String> wholeDatabase, Set<Name> tables, Set<Name> parents, Set<Name> sources) {
    private static final Pattern TEXT =
            Pattern.compile(
                    "'(?:[^'\\\\]|\\\\.|'')*'|\"(?:[^\"\\\\]|\\\\.|\"\")*\"", Pattern.DOTALL);
    private static final Pattern COMMENT =
            Pattern.compile("/\\*M?!\\d*|/\\*.*?\\*/|\\*/", Pattern.DOTALL);
    private static final Set<String> BEFORE_NAMES =
            Set.of("IF", "NOT", "EXISTS", "WAIT", "NOWAIT", "TABLE");
    private static final Set<String> NO_NEW_NAME = Set.of("COLUMN", "INDEX", "KEY", "CONSTRAINT");

    record Name(String schema, String table) {
        @Override
        public String toString() {
            return schema + "." + table;
        }
    }

    /// @param database of names without one
    /// @throws QuireException when there is none
    static SchemaStatement of(String database, String sql) {
        // Dumps put the newer words into comments for servers that know them.
        String plain = COMMENT.matcher(sql).replaceAll(" ");
        List<Token> tokens = NormalizedSql.tokens(TEXT.matcher(plain).replaceAll("''"));
        return new Reader(database, tokens).run();
    }

    /// Threads: one.
    private static final class Reader {
        private final String database;
        private final List<Token> tokens;
        private final Set<Name> tables = new LinkedHashSet<>();
        private final Set<Name> parents = new LinkedHashSet<>();
        private final Set<Name> sources = new LinkedHashSet<>();
        private int at;

        Reader(String database, List<Token> tokens) {
            this.database = database;
            this.tokens = tokens;
        }

        SchemaStatement run() {
            if (word(1).equals("DATABASE") || word(1).equals("SCHEMA")) {
                at = 2;
                skip(BEFORE_NAMES);
                return statement(Optional.of(text(at)));
            }
            if (findTables()) {
                do {
                    tables.add(name());
                    if (word(at).equals("TO")) {
                        at++;
                        tables.add(name());
                    }
                } while (comma());
            }
            while (at < tokens.size()) {
                clause();
            }
            return statement(Optional.empty());
        }

        private SchemaStatement statement(Optional<String> wholeDatabase) {
            return new SchemaStatement(wholeDatabase, tables, parents, sources);
        }

        /// Goes to before the first table's name; there is none in what is no DDL after all.
        private boolean findTables() {
            boolean truncates = word(0).equals("TRUNCATE");
            for (at = truncates ? 0 : 1; at < tokens.size(); at++) {
                String word = word(at);
                if (word.equals("TABLE")
                        || word.equals("TABLES")
                        || word.equals("VIEW")
                        || word.equals("ON")
                        || truncates) {
                    at++;
                    skip(BEFORE_NAMES);
                    return true;
                }
            }
            return false;
        }

        private void clause() {
            String word = word(at++);
            switch (word) {
                case "REFERENCES" -> parents.add(name());
                case "TABLE" -> tables.add(name());
                case "RENAME" -> {
                    skip(Set.of("TO", "AS"));
                    if (!NO_NEW_NAME.contains(word(at))) {
                        tables.add(name());
                    }
                }
                case "FROM", "JOIN", "LIKE" -> {
                    do {
                        if (!isName()) {
                            return;
                        }
                        sources.add(name());
                        skip(Set.of("AS"));
                        at += isName() && isSymbol(at + 1, ',') ? 1 : 0; // an alias
                    } while (comma());
                }
                default -> {}
            }
        }

        private boolean comma() {
            boolean is = isSymbol(at, ',');
            at += is ? 1 : 0;
            return is;
        }

        private void skip(Set<String> words) {
            while (words.contains(word(at))) {
                at++;
            }
        }

        private Name name() {
            String first = text(at++);
            if (isSymbol(at, '.')) {
                at++;
                return new Name(first, text(at++));
            }
            if (database.isEmpty()) {
                throw new QuireException(ErrorCode.NO_DATABASE_SELECTED, "No database selected");
            }
            return new Name(database, first);
        }

        private boolean isName() {
            return !text(at).isEmpty();
        }

        private boolean isSymbol(int index, char character) {
            return index < tokens.size()
                    && tokens.get(index) instanceof Token.Symbol(char c, boolean spaced)
                    && c == character;
        }

        /// In capitals; empty for what is no word.
        private String word(int index) {
            return index < tokens.size() && tokens.get(index) instanceof Token.Word word
                    ? word.text().toUpperCase(java.util.Locale.ROOT)
                    : "";
        }

        private String text(int index) {
            if (index >= tokens.size()) {
                return "";
            }
            return switch (tokens.get(index)) {
                case Token.Word word -> word.text();
                case Token.Quoted(String text, boolean spaced) ->
                        text.substring(1, text.length() - 1).replace("``", "`");
                default -> "";
            };
        }
    }
}
