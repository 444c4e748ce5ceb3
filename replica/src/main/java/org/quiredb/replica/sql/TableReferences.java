package org.quiredb.replica.sql;

import static org.quiredb.replica.sql.TokenText.name;
import static org.quiredb.replica.sql.TokenText.symbol;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.Token;

/// The tables that a join names, by what the statement calls them, in lower case.
final class TableReferences {
    private static final Set<String> NO_ALIASES =
            Set.of(
                    "JOIN",
                    "ON",
                    "LEFT",
                    "RIGHT",
                    "INNER",
                    "CROSS",
                    "USING",
                    "NATURAL",
                    "OUTER",
                    "STRAIGHT_JOIN",
                    "USE",
                    "FORCE",
                    "IGNORE",
                    "PARTITION",
                    "SET",
                    "WHERE");
    private static final Set<String> JOINS = Set.of("JOIN", "STRAIGHT_JOIN");
    private static final Set<String> AS = Set.of("AS");

    /// The text of a table's name, with its schema's where that is given.
    record Table(List<Token> text) {
        String schema() {
            return text.size() > 1 ? name(text.getFirst()) : "";
        }

        String table() {
            return name(text.getLast());
        }
    }

    private TableReferences() {}

    static Map<String, Table> of(List<Token> tokens) {
        Map<String, Table> tables = new LinkedHashMap<>();
        int depth = 0;
        boolean begins = true;
        for (int i = 0; i < tokens.size(); i++) {
            depth += symbol(tokens, i, '(') ? 1 : symbol(tokens, i, ')') ? -1 : 0;
            if (begins && !symbol(tokens, i, '(')) {
                i = add(tables, tokens, i);
            }
            begins = depth == 0 && (symbol(tokens, i, ',') || TokenText.word(tokens, i, JOINS));
        }
        return tables;
    }

    private static int add(Map<String, Table> tables, List<Token> tokens, int at) {
        boolean qualified = symbol(tokens, at + 1, '.');
        int end = at + (qualified ? 3 : 1);
        List<Token> text = new ArrayList<>(tokens.subList(at, end));
        text.set(0, TokenText.spaced(text.getFirst()));
        int alias = TokenText.word(tokens, end, AS) ? end + 1 : end;
        boolean named =
                alias < tokens.size()
                        && !name(tokens.get(alias)).isEmpty()
                        && !TokenText.word(tokens, alias, NO_ALIASES);
        Table table = new Table(text);
        tables.put(named ? name(tokens.get(alias)) : table.table(), table);
        return named ? alias : end - 1;
    }

    /// The one that has a column of this name, null for none or several.
    static @Nullable String owner(
            Map<String, Table> tables, String column, ChangeText.Layouts layouts) {
        String owner = null;
        for (Map.Entry<String, Table> entry : tables.entrySet()) {
            TableLayout layout = layouts.find(entry.getValue());
            if (layout != null
                    && layout.definition().columns().stream()
                            .anyMatch(c -> c.name().equalsIgnoreCase(column))) {
                if (owner != null) {
                    return null;
                }
                owner = entry.getKey();
            }
        }
        return owner;
    }
}
