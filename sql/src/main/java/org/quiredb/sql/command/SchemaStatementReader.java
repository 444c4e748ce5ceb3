package org.quiredb.sql.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.SchemaNames;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.KeptReadings;
import org.quiredb.sql.command.SchemaStatement.Action;
import org.quiredb.sql.command.SchemaStatement.Use;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.Reading;
import org.quiredb.sql.tree.TableName;

/// Reads what a DDL statement does with which table.
///
/// What is none of the forms below, names or reads a file, another server or an engine that does,
/// or makes a view (whose definer would be Quire), is not understood.
///
/// Threads: one.
final class SchemaStatementReader {
    private static final Set<String> ENGINES = Set.of("INNODB", "MYISAM", "ARIA", "MEMORY");
    private static final Set<String> OUTSIDE =
            Set.of("DIRECTORY", "CONNECTION", "UNION", "TABLESPACE", "EXCHANGE", "FILE_NAME");
    private static final Set<String> BEFORE_A_COLUMN =
            Set.of("COLUMN", "ADD", "MODIFY", "CHANGE", "AFTER", "DROP", "ALTER", "EXISTS");
    private static final Set<String> INDEX_KINDS = Set.of("UNIQUE", "FULLTEXT", "SPATIAL");
    private static final Set<String> LAST_WORDS =
            Set.of("RESTRICT", "CASCADE", "WAIT", "NOWAIT", "FORCE");

    private final Tokens tokens;
    private final KeptReadings statements;
    private final Cursor cursor;
    private final List<Use> uses = new ArrayList<>();
    private @Nullable Reading query;

    SchemaStatementReader(Tokens tokens, KeptReadings statements) {
        this.tokens = tokens;
        this.statements = statements;
        this.cursor = new Cursor(tokens, 0);
    }

    SchemaStatement read(SchemaNames names) {
        return understands()
                ? new SchemaStatement(names, true, uses, Optional.ofNullable(query))
                : new SchemaStatement(names, false, List.of(), Optional.empty());
    }

    private boolean understands() {
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.is(i, ';')) {
                return false;
            }
        }
        if (cursor.take("CREATE")) {
            boolean replaces = cursor.take("OR") && cursor.take("REPLACE");
            return create(replaces);
        }
        if (cursor.take("ALTER")) {
            return alter();
        }
        if (cursor.take("DROP")) {
            return drop();
        }
        if (cursor.take("RENAME")) {
            return (cursor.take("TABLE") || cursor.take("TABLES")) && rename();
        }
        if (cursor.take("TRUNCATE")) {
            cursor.take("TABLE");
            TableName table = cursor.table();
            return table != null && use(Action.DROP, table) && onlyLastWords();
        }
        return false;
    }

    private boolean create(boolean replaces) {
        if (takeDatabase()) {
            return database(Action.CREATE)
                    && (!replaces || use(Action.DROP, uses.getLast().table()));
        }
        if (cursor.take("TABLE")) {
            conditions();
            TableName table = cursor.table();
            return table != null
                    && use(Action.CREATE, table)
                    && (!replaces || use(Action.DROP, table))
                    && body(table);
        }
        cursor.takeOneOf(INDEX_KINDS);
        return cursor.take("INDEX") && index();
    }

    private boolean alter() {
        if (takeDatabase()) {
            return database(Action.ALTER);
        }
        cursor.take("ONLINE");
        cursor.take("IGNORE");
        if (!cursor.take("TABLE")) {
            return false;
        }
        conditions();
        TableName table = cursor.table();
        if (table == null || !use(Action.ALTER, table)) {
            return false;
        }
        for (int i = cursor.at; i < tokens.size(); i++) {
            boolean partition = tokens.is(i + 1, "PARTITION");
            if (partition && (tokens.is(i, "DROP") || tokens.is(i, "TRUNCATE"))) {
                use(Action.DROP, table);
            }
            if (tokens.is(i, "RENAME") && !renamed(i + 1, table)) {
                return false;
            }
        }
        return body(table);
    }

    /// To another name, not a column or index.
    private boolean renamed(int from, TableName table) {
        Cursor name = new Cursor(tokens, from);
        if (name.take("COLUMN") || name.take("INDEX") || name.take("KEY")) {
            return true;
        }
        boolean _ = name.take("TO") || name.take("AS") || name.take('=');
        TableName next = name.table();
        return next != null && moved(table, next);
    }

    private boolean moved(TableName from, TableName to) {
        return use(Action.DROP, from) && use(Action.CREATE, to) && use(Action.FILL, to);
    }

    private boolean drop() {
        if (takeDatabase()) {
            return database(Action.DROP);
        }
        if (cursor.take("INDEX")) {
            return index();
        }
        if (!cursor.take("TABLE") && !cursor.take("TABLES") && !cursor.take("VIEW")) {
            return false;
        }
        conditions();
        do {
            TableName table = cursor.table();
            if (table == null || !use(Action.DROP, table)) {
                return false;
            }
        } while (cursor.take(','));
        return onlyLastWords();
    }

    private boolean rename() {
        conditions();
        do {
            TableName from = cursor.table();
            if (from == null || !cursor.take("TO")) {
                return false;
            }
            TableName to = cursor.table();
            if (to == null || !use(Action.ALTER, from) || !moved(from, to)) {
                return false;
            }
        } while (cursor.take(','));
        return cursor.ended();
    }

    /// Of CREATE and DROP INDEX.
    private boolean index() {
        while (!cursor.ended() && !cursor.take("ON")) {
            cursor.at++;
        }
        TableName table = cursor.table();
        return table != null && use(Action.INDEX, table);
    }

    /// What follows a table's name.
    private boolean body(TableName table) {
        int depth = 0;
        for (int i = cursor.at; i < tokens.size(); i++) {
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
            String word = tokens.upper(i);
            if (word.equals("SELECT")) {
                use(Action.FILL, table);
                query = statements.read(queryFrom(i));
                return query.query() != null;
            }
            boolean known =
                    switch (word) {
                        case "LIKE" -> !isOfTable(i) || named(i + 1, Action.READ);
                        case "REFERENCES" -> refers(i + 1, table);
                        case "ENGINE" -> isColumn(i, depth) || engine(i + 1);
                        case "WITH", "TABLE", "VALUES" -> partOfTable(i);
                        case "LOAD_FILE" -> false;
                        default -> !OUTSIDE.contains(word) || isColumn(i, depth);
                    };
            if (!known) {
                return false;
            }
        }
        return true;
    }

    /// CREATE TABLE ... LIKE, and not the operator.
    private boolean isOfTable(int i) {
        return i == cursor.at || (i == cursor.at + 1 && tokens.is(cursor.at, '('));
    }

    /// Whether a word that may name an option stands where a column's name does.
    private boolean isColumn(int i, int depth) {
        boolean begins =
                tokens.is(i - 1, ',')
                        ? depth > 0
                        : tokens.is(i - 1, '(') || BEFORE_A_COLUMN.contains(tokens.upper(i - 1));
        return begins && !tokens.is(i + 1, '=');
    }

    /// Words that could begin a query, where they do not.
    private boolean partOfTable(int i) {
        return tokens.is(i, "VALUES")
                ? tokens.is(i + 1, "LESS") || tokens.is(i + 1, "IN")
                : tokens.is(i, "WITH")
                        && (tokens.is(i + 1, "PARSER") || tokens.is(i + 1, "SYSTEM"));
    }

    /// With the brackets that begin before it.
    private Tokens queryFrom(int select) {
        int first = select;
        while (first > cursor.at && tokens.is(first - 1, '(')) {
            first--;
        }
        return tokens.part(first, tokens.size());
    }

    private boolean engine(int i) {
        int value = tokens.is(i, '=') ? i + 1 : i;
        String name =
                tokens.isConstant(value)
                                && tokens.get(value) instanceof Token.Constant constant
                                && constant.value() instanceof SqlValue.StringValue(String text)
                        ? text
                        : tokens.name(value);
        return ENGINES.contains(name.toUpperCase(Locale.ROOT));
    }

    /// To a table of the same database, where its name does not say.
    private boolean refers(int i, TableName table) {
        TableName parent = new Cursor(tokens, i).table();
        return parent != null && use(Action.REFERENCE, parent.in(table.database()));
    }

    private boolean named(int i, Action action) {
        TableName table = new Cursor(tokens, i).table();
        return table != null && use(action, table);
    }

    private boolean use(Action action, TableName table) {
        return uses.add(new Use(action, table));
    }

    private boolean database(Action action) {
        conditions();
        // without a name it is the current one, or nonsense
        return tokens.isName(cursor.at) && use(action, new TableName(tokens.name(cursor.at++), ""));
    }

    private boolean takeDatabase() {
        return cursor.take("DATABASE") || cursor.take("SCHEMA");
    }

    private void conditions() {
        if (cursor.take("IF")) {
            cursor.take("NOT");
            cursor.take("EXISTS");
        }
    }

    private boolean onlyLastWords() {
        while (!cursor.ended()) {
            if (!tokens.isConstant(cursor.at) && !LAST_WORDS.contains(tokens.upper(cursor.at))) {
                return false;
            }
            cursor.at++;
        }
        return true;
    }
}
