package org.quiredb.replica.sql;

import static org.quiredb.replica.sql.TokenText.name;
import static org.quiredb.replica.sql.TokenText.symbol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.sql.Token;

/// The assignments of an UPDATE. MySQL makes them from left to right, each seeing those before it,
/// and H2 all at once: a column that was assigned stands here for what it was given, as it holds
/// it.
final class AssignedColumns {
    private static final Set<String> CHANCE = Set.of("PUBLIC.QUIRE_RAND", "PUBLIC.QUIRE_UUID");
    private static final Set<String> VALUES_OF = Set.of("VALUES", "VALUE");

    /// @param table as the statement calls the column's table, empty for not at all
    record Assigned(String table, String column, List<Token> target, List<Token> value) {}

    private AssignedColumns() {}

    /// @param tokens those of `a = 1, b = a`
    static List<Assigned> split(List<Token> tokens) {
        List<Assigned> all = new ArrayList<>();
        int start = 0;
        int depth = 0;
        for (int i = 0; i <= tokens.size(); i++) {
            depth += symbol(tokens, i, '(') ? 1 : symbol(tokens, i, ')') ? -1 : 0;
            if (i == tokens.size() || (depth == 0 && symbol(tokens, i, ','))) {
                all.add(assigned(tokens.subList(start, i)));
                start = i + 1;
            }
        }
        return all;
    }

    private static Assigned assigned(List<Token> tokens) {
        int equals = 1;
        while (equals < tokens.size() && !symbol(tokens, equals, '=')) {
            equals++;
        }
        if (equals >= tokens.size() - 1) {
            throw Errors.unsupported("such an assignment");
        }
        String table = equals >= 3 ? name(tokens.get(equals - 3)) : "";
        return new Assigned(
                table,
                name(tokens.get(equals - 1)),
                List.copyOf(tokens.subList(0, equals)),
                List.copyOf(tokens.subList(equals + 1, tokens.size())));
    }

    /// @param alias what the statement calls the table whose columns are assigned
    static List<Assigned> inOrder(
            List<Assigned> assignments, String alias, @Nullable TableLayout table) {
        Map<String, List<Token>> before = new HashMap<>();
        List<Assigned> resolved = new ArrayList<>();
        for (Assigned given : assignments) {
            List<Token> value = substituted(given.value(), before, alias, table);
            resolved.add(new Assigned(given.table(), given.column(), given.target(), value));
            before.put(given.column(), value);
        }
        return resolved;
    }

    private static List<Token> substituted(
            List<Token> value,
            Map<String, List<Token>> before,
            String alias,
            @Nullable TableLayout table) {
        List<Token> result = new ArrayList<>();
        for (int i = 0; i < value.size(); i++) {
            List<Token> earlier = before.get(name(value.get(i)));
            boolean qualified = symbol(value, i - 1, '.');
            boolean ofAnother = qualified && (i < 2 || !name(value.get(i - 2)).equals(alias));
            boolean other = ofAnother || symbol(value, i + 1, '(') || symbol(value, i + 1, '.');
            boolean ofInserted =
                    symbol(value, i - 1, '(') && TokenText.word(value, i - 2, VALUES_OF);
            if (earlier == null || other || ofInserted) {
                result.add(value.get(i));
                continue;
            }
            for (int drop = qualified ? 2 : 0; drop > 0; drop--) {
                result.removeLast();
            }
            result.addAll(held(name(value.get(i)), earlier, table));
        }
        return result;
    }

    /// A value as the column holds it once it was assigned.
    private static List<Token> held(String column, List<Token> value, @Nullable TableLayout table) {
        boolean chance =
                value.stream()
                        .anyMatch(t -> t instanceof Token.Word w && CHANCE.contains(w.text()));
        if (table == null || chance) {
            throw Errors.unsupported("an assignment that reads column " + column);
        }
        ColumnType type = table.rows().type(table.column(column));
        List<Token> held = new ArrayList<>();
        if (type.storage() == ColumnType.Storage.FOLDED_STRING
                || type.storage() == ColumnType.Storage.STRING) {
            if (type.mysql() == MySqlType.STRING) {
                throw Errors.unsupported("an assignment that reads column " + column);
            }
            held.add(new Token.Symbol('(', true));
            held.addAll(value);
        } else {
            switch (type.storage()) {
                case INTEGER, DECIMAL, BIG_DECIMAL, DOUBLE -> {}
                default -> throw Errors.unsupported("an assignment that reads column " + column);
            }
            held.add(TokenText.word("CAST"));
            held.add(new Token.Symbol('(', false));
            held.addAll(value);
            held.add(TokenText.word("AS " + type.h2()));
        }
        held.add(new Token.Symbol(')', false));
        return held;
    }

    /// `a = 1, b = 2` again.
    static List<Token> joined(List<Assigned> assignments) {
        List<Token> tokens = new ArrayList<>();
        for (Assigned assigned : assignments) {
            if (!tokens.isEmpty()) {
                tokens.add(new Token.Symbol(',', false));
            }
            tokens.addAll(assigned.target());
            tokens.add(new Token.Symbol('=', true));
            tokens.addAll(assigned.value());
        }
        return tokens;
    }
}
