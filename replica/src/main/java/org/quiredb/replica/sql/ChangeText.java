package org.quiredb.replica.sql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.sql.NormalizedSql;
import org.quiredb.common.sql.Token;

/// Reads a statement that changes rows and gives it to H2 in words that mean there what MySQL
/// means.
///
/// REPLACE becomes an INSERT whose table removes what is in the way. ORDER BY, LIMIT and joins
/// first choose rows by a query, then change just these.
///
/// Threads: one.
final class ChangeText {
    private static final Set<String> MODIFIERS =
            Set.of("LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "QUICK", "IGNORE");

    private final List<Token> tokens;
    private final FunctionText functions;
    private boolean ignore;

    private ChangeText(String sql) {
        functions = FunctionText.of(NormalizedSql.tokens(sql));
        tokens = functions.tokens();
    }

    /// @throws QuireException what is not run with MySQL's meaning
    static Change read(String sql) {
        return new ChangeText(sql).change();
    }

    private Change change() {
        String first =
                tokens.getFirst() instanceof Token.Word word
                        ? word.text().toUpperCase(Locale.ROOT)
                        : "";
        int start = 1;
        while (start < tokens.size() && MODIFIERS.contains(upper(start))) {
            ignore |= upper(start++).equals("IGNORE");
        }
        return switch (first) {
            case "INSERT" -> insert(start, false);
            case "REPLACE" -> insert(start, true);
            case "UPDATE" -> update(start);
            case "DELETE" -> delete(start);
            default -> throw Errors.unsupported("this statement");
        };
    }

    private Change insert(int start, boolean replaces) {
        int table = upper(start).equals("INTO") ? start + 1 : start;
        int query = find(table, "SELECT", "WITH", "TABLE");
        int values = find(table, "VALUES", "VALUE");
        int assigned = find(table, "UPDATE");
        boolean upsert = assigned > 1 && upper(assigned - 1).equals("KEY");
        if (upsert) {
            refuseChained(assigned + 1, tokens.size());
        }
        StringBuilder sql = new StringBuilder("INSERT ").append(ignore ? "IGNORE " : "");
        List<Token> rest = new ArrayList<>(tokens.subList(table, tokens.size()));
        if (values > 0 && upper(values).equals("VALUE")) {
            rest.set(values - table, new Token.Word("VALUES", true));
        }
        sql.append("INTO ").append(NormalizedSql.text(rest));
        boolean inner = query > 0 || anywhere("SELECT");
        int rows = values < 0 || query > 0 ? inner ? 0 : 1 : groups(values + 1);
        Change.Kind kind =
                replaces ? Change.Kind.REPLACE : upsert ? Change.Kind.UPSERT : Change.Kind.INSERT;
        Change.Part part = new Change.Part(sql.toString(), 0, markers(0, tokens.size()));
        return new Change(kind, ignore, rows, functions.undetermined() || inner, null, part);
    }

    private Change update(int start) {
        int set = find(start, "SET");
        if (set < 0) {
            throw new QuireException(
                    ErrorCode.SYNTAX_ERROR, "You have an error in your SQL syntax near 'UPDATE'");
        }
        int where = orEnd(find(set, "WHERE", "ORDER", "LIMIT"));
        refuseChained(set + 1, where);
        if (joined(start, set)) {
            throw Errors.unsupported("UPDATE of several tables");
        }
        int tail = orEnd(find(set, "ORDER", "LIMIT"));
        String changed = "UPDATE " + text(start, where);
        if (tail == tokens.size()) {
            return whole(Change.Kind.UPDATE, changed + " " + text(where, tail));
        }
        return chosen(
                Change.Kind.UPDATE,
                choice("", text(start, set), where),
                new Change.Part(changed, 0, markers(0, where)));
    }

    private Change delete(int start) {
        boolean from = upper(start).equals("FROM");
        int body = from ? start + 1 : find(start, "FROM") + 1;
        int using = find(body, "USING");
        int where = orEnd(find(body, "WHERE", "ORDER", "LIMIT"));
        if (!from || using > 0) {
            int end = from ? using : body - 1;
            return ofJoin(from ? body : start, end, from ? using + 1 : body);
        }
        if (find(body, "ORDER", "LIMIT") < 0) {
            return whole(Change.Kind.DELETE, "DELETE FROM " + text(body, tokens.size()));
        }
        return chosen(
                Change.Kind.DELETE,
                choice("", text(body, where), where),
                new Change.Part("DELETE FROM " + text(body, where), 0, 0));
    }

    /// DELETE of one table's rows as a join gives them.
    private Change ofJoin(int target, int targetEnd, int tables) {
        int end = targetEnd;
        if (end - target >= 2 && symbol(end - 2, '.') && symbol(end - 1, '*')) {
            end -= 2;
        }
        for (int i = target; i < end; i++) {
            if (symbol(i, ',')) {
                throw Errors.unsupported("DELETE from several tables");
            }
        }
        String name = text(target, end);
        int where = orEnd(find(tables, "WHERE", "ORDER", "LIMIT"));
        String table = aliased(name, tables, where);
        return chosen(
                Change.Kind.DELETE,
                choice("DISTINCT " + name + ".", text(tables, where), where),
                new Change.Part("DELETE FROM " + table, 0, 0));
    }

    /// The table that an alias stands for in the list of tables.
    private String aliased(String alias, int tables, int end) {
        for (int i = tables + 1; i < end; i++) {
            boolean as = upper(i - 1).equals("AS");
            int name = as ? i - 2 : i - 1;
            if (name >= tables && named(name) && text(i, i + 1).equalsIgnoreCase(alias)) {
                boolean qualified = name - 2 >= tables && symbol(name - 1, '.');
                return text(qualified ? name - 2 : name, name + 1);
            }
        }
        return alias;
    }

    private boolean named(int i) {
        return tokens.get(i) instanceof Token.Quoted
                || (tokens.get(i) instanceof Token.Word
                        && !Set.of("JOIN", "ON", "AND", "OR").contains(upper(i)));
    }

    private Change.Part choice(String what, String tables, int rest) {
        int from = markers(0, rest);
        return new Change.Part(
                "SELECT " + what + "_ROWID_ FROM " + tables + " " + text(rest, tokens.size()),
                tables.indexOf('?') >= 0 ? 0 : from,
                markers(0, tokens.size()));
    }

    private Change whole(Change.Kind kind, String sql) {
        Change.Part part = new Change.Part(sql, 0, markers(0, tokens.size()));
        return new Change(kind, ignore, 0, functions.undetermined(), null, part);
    }

    private Change chosen(Change.Kind kind, Change.Part choice, Change.Part action) {
        return new Change(kind, ignore, 0, true, choice, action);
    }

    /// MySQL assigns from left to right, each seeing those before it; H2 all at once.
    private void refuseChained(int from, int to) {
        Set<String> assigned = new HashSet<>();
        String name = "";
        boolean begins = true;
        int depth = 0;
        for (int i = from; i < to; i++) {
            depth += symbol(i, '(') ? 1 : symbol(i, ')') ? -1 : 0;
            if (begins && symbol(i, '=')) {
                name = plain(i - 1);
                begins = false;
            } else if (depth == 0 && symbol(i, ',')) {
                assigned.add(name);
                begins = true;
            } else if (!begins && assigned.contains(plain(i)) && !ofInserted(i)) {
                throw Errors.unsupported(
                        "an assignment that reads column " + plain(i) + " assigned before it");
            }
        }
    }

    private boolean ofInserted(int i) {
        return symbol(i - 1, '(') && upper(i - 2).startsWith("VALUE");
    }

    private boolean joined(int from, int to) {
        for (int i = from; i < to; i++) {
            if (symbol(i, ',') || upper(i).equals("JOIN")) {
                return true;
            }
        }
        return false;
    }

    /// How many parentheses are opened at the outermost level from here on.
    private int groups(int from) {
        int depth = 0;
        int groups = 0;
        for (int i = from; i < tokens.size(); i++) {
            if (symbol(i, '(') && depth++ == 0) {
                groups++;
            }
            depth -= symbol(i, ')') ? 1 : 0;
            if (depth == 0 && upper(i).equals("ON")) {
                break;
            }
        }
        return groups;
    }

    private boolean anywhere(String word) {
        return tokens.stream().anyMatch(t -> t instanceof Token.Word w && w.is(word));
    }

    /// The first of the words outside parentheses, -1 for none.
    private int find(int from, String... words) {
        Set<String> wanted = Set.of(words);
        int depth = 0;
        for (int i = from; i < tokens.size(); i++) {
            depth += symbol(i, '(') ? 1 : symbol(i, ')') ? -1 : 0;
            if (depth == 0 && wanted.contains(upper(i)) && !symbol(i - 1, '.')) {
                return i;
            }
        }
        return -1;
    }

    private int orEnd(int at) {
        return at < 0 ? tokens.size() : at;
    }

    private int markers(int from, int to) {
        return (int)
                tokens.subList(from, to).stream().filter(Token.Marker.class::isInstance).count();
    }

    private String text(int from, int to) {
        return NormalizedSql.text(tokens.subList(from, to));
    }

    private String upper(int i) {
        return tokens.get(i) instanceof Token.Word word ? word.text().toUpperCase(Locale.ROOT) : "";
    }

    private String plain(int i) {
        return text(i, i + 1).replace("`", "").toLowerCase(Locale.ROOT);
    }

    private boolean symbol(int i, char character) {
        return i >= 0
                && tokens.get(i) instanceof Token.Symbol symbol
                && symbol.character() == character;
    }
}
