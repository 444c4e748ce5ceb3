package org.quiredb.scheduler.classify;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.scheduler.account.Need;
import org.quiredb.scheduler.account.Privilege;
import org.quiredb.sql.Statements;
import org.quiredb.sql.tree.Reading;
import org.quiredb.sql.tree.TableName;

/// The privileges that a DDL statement needs.
///
/// It is run by Quire's own account, so this is the only check. What is none of the forms below,
/// names or reads a file, another server or an engine that does, or makes a view (whose definer
/// would be Quire), is for accounts with every privilege on everything.
///
/// Threads: one.
final class SchemaNeeds {
    private static final Set<String> ENGINES = Set.of("INNODB", "MYISAM", "ARIA", "MEMORY");
    private static final Set<String> OUTSIDE =
            Set.of("DIRECTORY", "CONNECTION", "UNION", "TABLESPACE", "EXCHANGE", "FILE_NAME");
    private static final Set<String> BEFORE_A_COLUMN =
            Set.of("(", "COLUMN", "ADD", "MODIFY", "CHANGE", "AFTER", "DROP", "ALTER", "EXISTS");
    private static final Set<String> INDEX_KINDS = Set.of("UNIQUE", "FULLTEXT", "SPATIAL");
    private static final Set<String> LAST_WORDS =
            Set.of("RESTRICT", "CASCADE", "WAIT", "NOWAIT", "FORCE");

    private final String sql;
    private final Statements statements;
    private final List<Token> tokens;
    private final List<Need> needs = new ArrayList<>();
    private int at;

    private SchemaNeeds(String sql, Statements statements) {
        this.sql = sql;
        this.statements = statements;
        List<Token> all = new ArrayList<>(Tokens.of(sql));
        while (!all.isEmpty() && all.getLast().is(";")) {
            all.removeLast();
        }
        tokens = all;
    }

    static List<Need> of(String sql, Statements statements) {
        SchemaNeeds statement = new SchemaNeeds(sql, statements);
        return statement.read() ? List.copyOf(statement.needs) : Need.EVERYTHING;
    }

    /// Whether it is understood.
    private boolean read() {
        if (tokens.stream().anyMatch(token -> token.is(";"))) {
            return false;
        }
        if (take("CREATE")) {
            boolean replaces = take("OR") && take("REPLACE");
            return create(replaces);
        }
        if (take("ALTER")) {
            return alter();
        }
        if (take("DROP")) {
            return drop();
        }
        if (take("RENAME")) {
            return (take("TABLE") || take("TABLES")) && rename();
        }
        if (take("TRUNCATE")) {
            take("TABLE");
            TableName table = name();
            return table != null && need(Privilege.DROP, table) && onlyLastWords();
        }
        return false;
    }

    private boolean create(boolean replaces) {
        if (takeDatabase()) {
            return database(Privilege.CREATE) && (!replaces || again(Privilege.DROP));
        }
        if (take("TABLE")) {
            conditions();
            TableName table = name();
            return table != null
                    && need(Privilege.CREATE, table)
                    && (!replaces || need(Privilege.DROP, table))
                    && body(table);
        }
        if (at < tokens.size() && INDEX_KINDS.contains(tokens.get(at).upper())) {
            at++;
        }
        return take("INDEX") && index();
    }

    private boolean alter() {
        if (takeDatabase()) {
            return database(Privilege.ALTER);
        }
        take("ONLINE");
        take("IGNORE");
        if (!take("TABLE")) {
            return false;
        }
        conditions();
        TableName table = name();
        if (table == null || !need(Privilege.ALTER, table)) {
            return false;
        }
        for (int i = at; i < tokens.size(); i++) {
            boolean partition = i + 1 < tokens.size() && tokens.get(i + 1).is("PARTITION");
            if (partition && (tokens.get(i).is("DROP") || tokens.get(i).is("TRUNCATE"))) {
                need(Privilege.DROP, table);
            }
            if (tokens.get(i).is("RENAME") && !renamed(i + 1, table)) {
                return false;
            }
        }
        return body(table);
    }

    /// To another name, not a column or index.
    private boolean renamed(int from, TableName table) {
        int before = at;
        at = from;
        boolean known = take("COLUMN") || take("INDEX") || take("KEY");
        if (!known) {
            boolean _ = take("TO") || take("AS") || take("=");
            TableName next = name();
            known = next != null && moved(table, next);
        }
        at = before;
        return known;
    }

    private boolean moved(TableName from, TableName to) {
        return need(Privilege.DROP, from)
                && need(Privilege.CREATE, to)
                && need(Privilege.INSERT, to);
    }

    private boolean drop() {
        if (takeDatabase()) {
            return database(Privilege.DROP);
        }
        if (take("INDEX")) {
            return index();
        }
        if (!take("TABLE") && !take("TABLES") && !take("VIEW")) {
            return false;
        }
        conditions();
        do {
            TableName table = name();
            if (table == null || !need(Privilege.DROP, table)) {
                return false;
            }
        } while (take(","));
        return onlyLastWords();
    }

    private boolean rename() {
        conditions();
        do {
            TableName from = name();
            if (from == null || !take("TO")) {
                return false;
            }
            TableName to = name();
            if (to == null || !need(Privilege.ALTER, from) || !moved(from, to)) {
                return false;
            }
        } while (take(","));
        return at == tokens.size();
    }

    /// Of CREATE and DROP INDEX.
    private boolean index() {
        while (at < tokens.size() && !take("ON")) {
            at++;
        }
        TableName table = name();
        return table != null && need(Privilege.INDEX, table);
    }

    /// What follows a table's name.
    private boolean body(TableName table) {
        int depth = 0;
        for (int i = at; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
            if (token.kind() != Token.Kind.WORD) {
                continue;
            }
            if (token.is("SELECT")) {
                need(Privilege.INSERT, table);
                Reading query = statements.read(queryFrom(i));
                return query.query() != null && needs.addAll(StatementNeeds.of(query));
            }
            boolean known =
                    switch (token.upper()) {
                        case "LIKE" -> !isOfTable(i) || named(i + 1, Privilege.SELECT);
                        case "REFERENCES" -> named(i + 1, Privilege.REFERENCES);
                        case "ENGINE" -> isColumn(i, depth) || engine(i + 1);
                        case "WITH", "TABLE", "VALUES" -> partOfTable(i);
                        case "LOAD_FILE" -> false;
                        default -> !OUTSIDE.contains(token.upper()) || isColumn(i, depth);
                    };
            if (!known) {
                return false;
            }
        }
        return true;
    }

    /// CREATE TABLE ... LIKE, and not the operator.
    private boolean isOfTable(int i) {
        return i == at || (i == at + 1 && tokens.get(at).is("("));
    }

    /// Whether a word that may name an option stands where a column's name does.
    private boolean isColumn(int i, int depth) {
        Token before = tokens.get(i - 1);
        boolean valued = i + 1 < tokens.size() && tokens.get(i + 1).is("=");
        return !valued && (before.is(",") ? depth > 0 : BEFORE_A_COLUMN.contains(before.upper()));
    }

    /// Words that could begin a query, where they do not.
    private boolean partOfTable(int i) {
        boolean last = i + 1 == tokens.size();
        return tokens.get(i).is("VALUES")
                ? !last && (tokens.get(i + 1).is("LESS") || tokens.get(i + 1).is("IN"))
                : tokens.get(i).is("WITH")
                        && !last
                        && (tokens.get(i + 1).is("PARSER") || tokens.get(i + 1).is("SYSTEM"));
    }

    /// With the brackets that begin before it.
    private String queryFrom(int select) {
        int first = select;
        while (first > at && tokens.get(first - 1).is("(")) {
            first--;
        }
        return sql.substring(tokens.get(first).start(), tokens.getLast().end());
    }

    private boolean engine(int i) {
        int value = i < tokens.size() && tokens.get(i).is("=") ? i + 1 : i;
        return value < tokens.size() && ENGINES.contains(tokens.get(value).upper());
    }

    private boolean named(int i, Privilege privilege) {
        int before = at;
        at = i;
        TableName table = name();
        at = before;
        return table != null && need(privilege, table);
    }

    private boolean need(Privilege privilege, TableName table) {
        return needs.add(Need.on(privilege, table.database(), table.name()));
    }

    private boolean database(Privilege privilege) {
        conditions();
        if (at == tokens.size() || !tokens.get(at).isName()) {
            return false; // the current one, or nonsense
        }
        return needs.add(Need.on(privilege, tokens.get(at++).text(), ""));
    }

    private boolean again(Privilege privilege) {
        return needs.add(Need.on(privilege, needs.getLast().database(), ""));
    }

    private boolean takeDatabase() {
        return take("DATABASE") || take("SCHEMA");
    }

    private void conditions() {
        if (take("IF")) {
            take("NOT");
            take("EXISTS");
        }
    }

    /// Null when there is none.
    private @Nullable TableName name() {
        if (at == tokens.size() || !tokens.get(at).isName()) {
            return null;
        }
        String first = tokens.get(at++).text();
        if (!take(".")) {
            return new TableName("", first);
        }
        if (at == tokens.size() || !tokens.get(at).isName()) {
            return null;
        }
        return new TableName(first, tokens.get(at++).text());
    }

    private boolean onlyLastWords() {
        while (at < tokens.size()) {
            Token token = tokens.get(at++);
            boolean number = token.kind() == Token.Kind.NUMBER;
            if (!number && !LAST_WORDS.contains(token.text().toUpperCase(Locale.ROOT))) {
                return false;
            }
        }
        return true;
    }

    private boolean take(String word) {
        boolean there = at < tokens.size() && tokens.get(at).is(word);
        at += there ? 1 : 0;
        return there;
    }
}
