package org.quiredb.replica.sql;

import static org.quiredb.replica.sql.TokenText.name;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.sql.NormalizedSql;
import org.quiredb.common.sql.Token;
import org.quiredb.replica.sql.AssignedColumns.Assigned;

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

    /// Finds a table as the statement names it, null where there is none.
    @FunctionalInterface
    interface Layouts {
        @Nullable TableLayout find(TableReferences.Table table);
    }

    private final List<Token> tokens;
    private final Layouts layouts;
    private boolean ignore;

    private ChangeText(String sql, boolean folds, Layouts layouts) {
        this.layouts = layouts;
        tokens = FunctionText.of(TokenText.numbered(NormalizedSql.tokens(sql)), folds).tokens();
    }

    /// One change for each table whose rows the statement changes.
    ///
    /// @param folds all text of the statement's tables compares without case
    /// @throws QuireException what is not run with MySQL's meaning
    static List<Change> read(String sql, boolean folds, Layouts layouts) {
        return new ChangeText(sql, folds, layouts).changes();
    }

    private List<Change> changes() {
        String first =
                tokens.getFirst() instanceof Token.Word word
                        ? word.text().toUpperCase(Locale.ROOT)
                        : "";
        int start = 1;
        while (start < tokens.size() && MODIFIERS.contains(upper(start))) {
            ignore |= upper(start++).equals("IGNORE");
        }
        return switch (first) {
            case "INSERT" -> List.of(insert(start, false));
            case "REPLACE" -> List.of(insert(start, true));
            case "UPDATE" -> List.of(update(start));
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
        List<Token> sql = new ArrayList<>();
        sql.add(TokenText.word(ignore ? "INSERT IGNORE INTO" : "INSERT INTO"));
        sql.addAll(tokens.subList(table, upsert ? assigned + 1 : tokens.size()));
        if (upsert) {
            sql.addAll(assignments(assigned + 1, tokens.size(), tokens.subList(table, table + 3)));
        }
        if (values > 0 && upper(values).equals("VALUE")) {
            sql.set(values - table + 1, TokenText.word("VALUES"));
        }
        boolean inner = query > 0 || anywhere("SELECT");
        int rows = values < 0 || query > 0 ? inner ? 0 : 1 : groups(values + 1);
        Change.Kind kind =
                replaces ? Change.Kind.REPLACE : upsert ? Change.Kind.UPSERT : Change.Kind.INSERT;
        return new Change(kind, ignore, rows, null, 0, TokenText.part(sql));
    }

    private Change update(int start) {
        int set = find(start, "SET");
        if (set < 0) {
            throw new QuireException(
                    ErrorCode.SYNTAX_ERROR, "You have an error in your SQL syntax near 'UPDATE'");
        }
        int where = orEnd(find(set, "WHERE", "ORDER", "LIMIT"));
        if (joined(start, set)) {
            return ofJoin(start, set, where);
        }
        int tail = orEnd(find(set, "ORDER", "LIMIT"));
        List<Token> changed = new ArrayList<>();
        changed.add(TokenText.word("UPDATE"));
        changed.addAll(tokens.subList(start, set + 1));
        changed.addAll(assignments(set + 1, where, tokens.subList(start, set)));
        if (tail == tokens.size()) {
            changed.addAll(tokens.subList(where, tail));
            return new Change(Change.Kind.UPDATE, ignore, 0, null, 0, TokenText.part(changed));
        }
        return chosen(
                Change.Kind.UPDATE, choice(List.of(), tokens.subList(start, set), where), changed);
    }

    private List<Token> assignments(int from, int to, List<Token> table) {
        Map.Entry<String, TableReferences.Table> named =
                TableReferences.of(table).entrySet().iterator().next();
        TableLayout layout = layouts.find(named.getValue());
        List<Assigned> assigned = AssignedColumns.split(tokens.subList(from, to));
        assigned.forEach(one -> MixedCollations.refuse(one.value(), layout));
        return AssignedColumns.joined(AssignedColumns.inOrder(assigned, named.getKey(), layout));
    }

    /// UPDATE of one table's rows with values that a join gives.
    private Change ofJoin(int start, int set, int where) {
        Map<String, TableReferences.Table> tables = TableReferences.of(tokens.subList(start, set));
        List<Assigned> assignments = AssignedColumns.split(tokens.subList(set + 1, where));
        String target = null;
        for (Assigned assigned : assignments) {
            String of =
                    assigned.table().isEmpty()
                            ? TableReferences.owner(tables, assigned.column(), layouts)
                            : assigned.table();
            if (of == null || (target != null && !target.equals(of)) || !tables.containsKey(of)) {
                throw Errors.unsupported("UPDATE of several tables");
            }
            target = of;
        }
        TableReferences.Table table = tables.get(String.valueOf(target));
        if (table == null || target == null || find(set, "ORDER", "LIMIT") >= 0) {
            throw Errors.unsupported("UPDATE of several tables");
        }
        List<Token> shown = new ArrayList<>(quoted(target));
        List<Token> action = new ArrayList<>();
        action.add(TokenText.word("UPDATE"));
        action.addAll(table.text());
        action.add(TokenText.word("SET"));
        int next = 0;
        for (Assigned assigned :
                AssignedColumns.inOrder(assignments, target, layouts.find(table))) {
            shown.add(new Token.Symbol(',', false));
            shown.addAll(assigned.value());
            if (next > 0) {
                action.add(new Token.Symbol(',', false));
            }
            action.add(TokenText.spaced(assigned.target().getLast()));
            action.add(new Token.Symbol('=', true));
            action.add(TokenText.word("?" + next++));
        }
        return new Change(
                Change.Kind.UPDATE,
                ignore,
                0,
                choice(shown, tokens.subList(start, set), where),
                next,
                TokenText.part(action));
    }

    private List<Change> delete(int start) {
        boolean from = upper(start).equals("FROM");
        int body = from ? start + 1 : find(start, "FROM") + 1;
        int using = find(body, "USING");
        int where = orEnd(find(body, "WHERE", "ORDER", "LIMIT"));
        if (!from || using > 0) {
            int end = from ? using : body - 1;
            return ofJoined(from ? body : start, end, from ? using + 1 : body);
        }
        List<Token> action = new ArrayList<>();
        action.add(TokenText.word("DELETE FROM"));
        if (find(body, "ORDER", "LIMIT") < 0) {
            action.addAll(tokens.subList(body, tokens.size()));
            return List.of(
                    new Change(Change.Kind.DELETE, ignore, 0, null, 0, TokenText.part(action)));
        }
        action.addAll(tokens.subList(body, where));
        return List.of(
                chosen(
                        Change.Kind.DELETE,
                        choice(List.of(), tokens.subList(body, where), where),
                        action));
    }

    /// DELETE of tables' rows as a join gives them.
    private List<Change> ofJoined(int targets, int targetsEnd, int from) {
        int where = orEnd(find(from, "WHERE", "ORDER", "LIMIT"));
        Map<String, TableReferences.Table> tables = TableReferences.of(tokens.subList(from, where));
        List<Change> changes = new ArrayList<>();
        int start = targets;
        for (int i = targets; i <= targetsEnd; i++) {
            if (i < targetsEnd && !symbol(i, ',')) {
                continue;
            }
            boolean all = i - start >= 2 && symbol(i - 2, '.') && symbol(i - 1, '*');
            String name = name(tokens.get(i - (all ? 3 : 1)));
            TableReferences.Table table = tables.get(name);
            if (table == null) {
                throw Errors.unsupported("DELETE from a table that is not joined");
            }
            List<Token> shown = new ArrayList<>();
            shown.add(TokenText.word("DISTINCT"));
            shown.addAll(quoted(name));
            List<Token> action = new ArrayList<>();
            action.add(TokenText.word("DELETE FROM"));
            action.addAll(table.text());
            changes.add(
                    chosen(
                            Change.Kind.DELETE,
                            choice(shown, tokens.subList(from, where), where),
                            action));
            start = i + 1;
        }
        return changes;
    }

    /// `alias._ROWID_`
    private static List<Token> quoted(String alias) {
        return List.of(
                new Token.Quoted("`" + alias.replace("`", "``") + "`", true),
                new Token.Symbol('.', false),
                new Token.Word("_ROWID_", false));
    }

    private Change.Part choice(List<Token> shown, List<Token> from, int rest) {
        List<Token> query = new ArrayList<>();
        query.add(TokenText.word("SELECT"));
        query.addAll(shown.isEmpty() ? List.of(TokenText.word("_ROWID_")) : shown);
        query.add(TokenText.word("FROM"));
        query.addAll(from);
        query.addAll(tokens.subList(rest, tokens.size()));
        return TokenText.part(query);
    }

    private Change chosen(Change.Kind kind, Change.Part choice, List<Token> action) {
        return new Change(kind, ignore, 0, choice, 0, TokenText.part(action));
    }

    private boolean joined(int from, int to) {
        for (int i = from; i < to; i++) {
            if (symbol(i, ',') || upper(i).equals("JOIN") || upper(i).equals("STRAIGHT_JOIN")) {
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
        Set<String> wanted = Set.copyOf(Arrays.asList(words));
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

    private String upper(int i) {
        return tokens.get(i) instanceof Token.Word word ? word.text().toUpperCase(Locale.ROOT) : "";
    }

    private boolean symbol(int i, char character) {
        return TokenText.symbol(tokens, i, character);
    }
}
