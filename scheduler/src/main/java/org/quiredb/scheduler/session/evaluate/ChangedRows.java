package org.quiredb.scheduler.session.evaluate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.scheduler.fallback.Evaluation.Target;
import org.quiredb.scheduler.session.backend.ReplicaText;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Tokens;

/// Where to look for the rows that a change may change: by its own WHERE, by new ids, or in the
/// whole table, and how many new ids it may need. A wrong guess of rows is found out by the
/// server's count of them.
///
/// Threads: one.
final class ChangedRows {
    private static final Set<String> MODIFIERS = Set.of("LOW_PRIORITY", "IGNORE", "QUICK");
    private static final Set<String> AFTER_A_NAME =
            Set.of(
                    "AS",
                    "JOIN",
                    "INNER",
                    "CROSS",
                    "LEFT",
                    "RIGHT",
                    "NATURAL",
                    "STRAIGHT_JOIN",
                    "ON",
                    "USING",
                    "SET",
                    "WHERE",
                    "ORDER",
                    "LIMIT",
                    "USE",
                    "FORCE",
                    "IGNORE",
                    "PARTITION",
                    "FOR",
                    "RETURNING");

    /// As many ids as its query has rows.
    static final int COUNTED = -2;

    private static final Set<String> EACH_TIME =
            Set.of(
                    "last_insert_id",
                    "rand",
                    "random_bytes",
                    "uuid",
                    "uuid_short",
                    "sys_guid",
                    "sleep",
                    "benchmark",
                    "get_lock",
                    "release_lock",
                    "release_all_locks");

    /// A condition of more is long to read for a server.
    private static final int MOST_KEYS = 200;

    private final Tokens tokens;

    ChangedRows(Tokens tokens) {
        this.tokens = tokens;
    }

    /// @param firstId of the AUTO_INCREMENT values that it generates; 0 for none
    List<Target> of(List<TableDefinition> tables, long firstId) {
        List<Target> targets = new ArrayList<>();
        boolean bare = tables.stream().anyMatch(ChangedRows::isBare);
        for (TableDefinition table : tables) {
            Target whole = Target.whole(table);
            targets.add(
                    switch (tokens.upper(0)) {
                        case "UPDATE", "DELETE" ->
                                bare || ignoresInJoin() || moves(tokens, table)
                                        ? whole
                                        : found(whole);
                        case "INSERT" ->
                                moves(tokens, table)
                                        ? whole
                                        : onlyAdds()
                                                ? added(whole, firstId)
                                                : overwritten(whole, firstId);
                        default -> whole;
                    });
        }
        return targets;
    }

    /// Servers count the rows, then, that they leave as they are.
    private boolean ignoresInJoin() {
        int set = next("SET", 1);
        boolean joins = false;
        for (int i = 1; i < set; i++) {
            joins |= tokens.is(i, ',') || tokens.upper(i).endsWith("JOIN");
        }
        return joins && (tokens.is(1, "IGNORE") || tokens.is(2, "IGNORE"));
    }

    private boolean onlyAdds() {
        return next("DUPLICATE", 0) < 0;
    }

    /// Whether rows that it changes are told by all of their values. Those that are put in their
    /// places would be others to foreign keys.
    static boolean byValues(Tokens tokens, TableDefinition table, boolean referenced) {
        if (!isBare(table)) {
            return false;
        }
        boolean replaces = table.indexes().stream().anyMatch(IndexDefinition::unique);
        boolean adds =
                (tokens.is(0, "INSERT") && new ChangedRows(tokens).onlyAdds())
                        || (tokens.is(0, "REPLACE") && !replaces);
        boolean changes =
                Stream.of("UPDATE", "DELETE", "INSERT", "REPLACE")
                        .anyMatch(word -> tokens.is(0, word));
        return adds || (changes && areAlike(table, referenced));
    }

    /// Whether a row may go and one of other values come in the place of a change.
    static boolean areAlike(TableDefinition table, boolean referenced) {
        return isBare(table) && !referenced;
    }

    /// Whether it has no key, not even one of generated columns, which tell nothing.
    static boolean isBare(TableDefinition table) {
        return table.rowKey().isEmpty()
                && table.indexes().stream().noneMatch(IndexDefinition::primary);
    }

    /// By their keys, where constants say these: a table may have more rows than are looked at.
    private Target added(Target whole, long firstId) {
        Optional<String> counter = counter(whole.table());
        Optional<Target> behind =
                firstId > 0 ? counter.map(column -> whole.from(column, firstId)) : Optional.empty();
        Set<String> conditions = new LinkedHashSet<>();
        for (Map<String, Tokens> row : listed(whole.table())) {
            Optional<String> condition =
                    StoredKeys.keyOf(row, whole.table())
                            .or(() ->
                                    behind.flatMap(b ->
                                            computed(
                                                    row,
                                                    whole.table(),
                                                    counter.orElseThrow(),
                                                    firstId)));
            boolean generated =
                    counter.isPresent()
                            && StoredKeys.isGenerated(
                                    row.get(counter.get().toLowerCase(Locale.ROOT)));
            if (condition.isEmpty() && !generated) {
                return behind.orElse(whole);
            }
            if (generated && behind.isEmpty()) {
                return whole;
            }
            conditions.add(
                    generated
                            ? StoredKeys.behind(counter.orElseThrow(), row, firstId)
                            : condition.orElseThrow());
        }
        return conditions.isEmpty() || conditions.size() > MOST_KEYS
                ? behind.orElse(whole)
                : whole.added(String.join(" OR ", conditions));
    }

    /// By an id that is computed, as which the server may generate one; empty where computing it
    /// once more does something, or it is not the key.
    private static Optional<String> computed(
            Map<String, Tokens> row, TableDefinition table, String counter, long firstId) {
        Tokens given = row.get(counter.toLowerCase(Locale.ROOT));
        boolean again = given != null && !hasEffects(given) && !given.has("SELECT");
        return given != null && again && keyColumns(table).equals(Set.of(lower(counter)))
                ? Optional.of(
                        "%s >= %d OR %s = (%s)"
                                .formatted(
                                        StoredKeys.quoted(counter),
                                        firstId,
                                        StoredKeys.quoted(counter),
                                        given.text()))
                : Optional.empty();
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /// By all keys that its row may have in common with others, where constants say these. Of
    /// several rows one may meet another.
    private Target overwritten(Target whole, long firstId) {
        TableDefinition table = whole.table();
        List<Map<String, Tokens>> rows = listed(table);
        if (isBare(table) || rows.size() != 1 || tokens.is(1, "IGNORE") || tokens.is(2, "IGNORE")) {
            return whole;
        }
        Map<String, Tokens> row = rows.getFirst();
        List<String> conditions = new ArrayList<>();
        for (IndexDefinition index : table.indexes()) {
            if (!index.unique()) {
                continue;
            }
            Optional<String> condition = StoredKeys.keyOf(row, table, index);
            boolean free =
                    index.columns().stream()
                            .map(name -> StoredKeys.column(table, name))
                            .anyMatch(column -> StoredKeys.isFree(column, row, firstId));
            if (condition.isEmpty() && !free) {
                return whole;
            }
            condition.ifPresent(conditions::add);
            if (condition.isEmpty() && table.rowKey().stream().anyMatch(index::equals)) {
                conditions.add(StoredKeys.behind(counter(table).orElseThrow(), row, firstId));
            }
        }
        return whole.keyed(String.join(" OR ", conditions));
    }

    private static Optional<String> counter(TableDefinition table) {
        return table.columns().stream()
                .filter(ColumnDefinition::autoIncrement)
                .map(ColumnDefinition::name)
                .findFirst();
    }

    /// What an INSERT gives to columns, row by row, by their names in lower case; empty where a
    /// query gives it.
    private List<Map<String, Tokens>> listed(TableDefinition table) {
        int set = next("SET", 1);
        int values = Math.max(next("VALUES", 1), next("VALUE", 1));
        if (set > 0) {
            return List.of(assigned(set + 1));
        }
        List<Map<String, Tokens>> rows = new ArrayList<>();
        List<String> columns = values > 0 ? columns(table, values) : List.of();
        int at = values;
        while (at > 0 && tokens.is(at + 1, '(')) {
            List<Tokens> given = new ArrayList<>();
            int end = parts(at + 2, given);
            if (given.size() != columns.size()) {
                return List.of();
            }
            Map<String, Tokens> row = new HashMap<>();
            for (int i = 0; i < given.size(); i++) {
                row.put(columns.get(i), given.get(i));
            }
            rows.add(row);
            at = tokens.is(end + 1, ',') ? end + 1 : -1;
        }
        return rows;
    }

    /// In lower case.
    private List<String> columns(TableDefinition table, int values) {
        int open = values - 1;
        while (tokens.is(values - 1, ')') && open > 0 && !tokens.is(open, '(')) {
            open--;
        }
        List<String> names = new ArrayList<>();
        if (tokens.is(open, '(') && !tokens.is(open - 1, "PARTITION")) {
            List<Tokens> parts = new ArrayList<>();
            int _ = parts(open + 1, parts);
            parts.forEach(part -> names.add(part.name(part.size() - 1)));
        } else {
            table.columns().stream()
                    .filter(ColumnDefinition::visible)
                    .forEach(column -> names.add(column.name()));
        }
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    }

    private Map<String, Tokens> assigned(int from) {
        Map<String, Tokens> row = new HashMap<>();
        List<Tokens> parts = new ArrayList<>();
        int _ = parts(from, parts);
        for (Tokens part : parts) {
            int equal = 0;
            while (equal < part.size() && !part.is(equal, '=')) {
                equal++;
            }
            if (equal > 0 && equal < part.size()) {
                row.put(
                        part.name(equal - 1).toLowerCase(Locale.ROOT),
                        Tokens.of(part.text(equal + 1, part.size())));
            }
        }
        return row;
    }

    private boolean ends(int at) {
        return tokens.is(at, ')') || tokens.is(at, "RETURNING") || tokens.is(at, "ON");
    }

    /// Cuts at commas up to the bracket that closes, or the statement's end, and tells where that
    /// is.
    private int parts(int from, List<Tokens> parts) {
        int depth = 0;
        int begin = from;
        int at = from;
        while (at < ends() && !(depth == 0 && ends(at))) {
            depth += tokens.is(at, '(') ? 1 : tokens.is(at, ')') ? -1 : 0;
            if (depth == 0 && tokens.is(at, ',')) {
                parts.add(Tokens.of(tokens.text(begin, at)));
                begin = at + 1;
            }
            at++;
        }
        if (at > begin) {
            parts.add(Tokens.of(tokens.text(begin, at)));
        }
        return at;
    }

    private Target found(Target whole) {
        int start = 1;
        while (MODIFIERS.contains(tokens.upper(start))) {
            start++;
        }
        boolean update = tokens.is(0, "UPDATE");
        int from = update ? start - 1 : next("FROM", start - 1);
        int using = update ? -1 : next("USING", from);
        boolean lists = using >= 0 && from == start; // DELETE FROM a USING a, b
        int first = (lists ? using : from) + 1;
        int set = update ? next("SET", first) : -1;
        int where = next("WHERE", update ? set : first);
        int order = next("ORDER", Math.max(first, where));
        int limit = next("LIMIT", Math.max(first, where));
        int returning = next("RETURNING", Math.max(first, where));
        int end = least(least(order, limit), least(returning, ends()));
        int last = update ? set : least(where, end);
        String called = from < 0 || last <= first ? "" : called(whole.table(), first, last);
        if (called.isEmpty()) {
            return whole;
        }
        return whole.found(
                called,
                " FROM "
                        + tokens.text(first, last)
                        + (where < 0 ? "" : " " + tokens.text(where, end)));
    }

    private int ends() {
        return tokens.is(tokens.size() - 1, ';') ? tokens.size() - 1 : tokens.size();
    }

    private static int least(int a, int b) {
        return a < 0 ? b : b < 0 ? a : Math.min(a, b);
    }

    /// The word's place outside of parentheses, -1 for none.
    private int next(String word, int from) {
        int depth = 0;
        for (int i = 0; i < tokens.size(); i++) {
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
            if (i >= from && depth == 0 && tokens.is(i, word)) {
                return i;
            }
        }
        return -1;
    }

    /// What the statement calls a table that it names once, with its database where it has no
    /// alias, as another database's may have its name; empty where it does not, or in parentheses.
    private String called(TableDefinition table, int from, int to) {
        String called = "";
        int depth = 0;
        for (int i = from; i < to; i++) {
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
            boolean begins =
                    i == from || tokens.is(i - 1, ',') || tokens.upper(i - 1).endsWith("JOIN");
            if (depth != 0 || !begins) {
                continue;
            }
            boolean qualified = tokens.is(i + 1, '.');
            int name = qualified ? i + 2 : i;
            if (!tokens.name(name).equalsIgnoreCase(table.name())
                    || (qualified && !tokens.name(i).equalsIgnoreCase(table.schema()))) {
                continue;
            }
            if (!called.isEmpty()) {
                return "";
            }
            int alias = tokens.is(name + 1, "AS") ? name + 2 : name + 1;
            boolean named =
                    alias < to
                            && tokens.isName(alias)
                            && !AFTER_A_NAME.contains(tokens.upper(alias).toUpperCase(Locale.ROOT));
            called =
                    named
                            ? StoredKeys.quoted(tokens.name(alias))
                            : StoredKeys.quoted(table.schema())
                                    + "."
                                    + StoredKeys.quoted(tokens.name(name));
        }
        return called;
    }

    /// How many AUTO_INCREMENT values of the table's counter it may generate; COUNTED where its
    /// query tells, -1 where that is not known.
    static int ids(Tokens tokens, List<CatalogueEntry> targets) {
        TableDefinition table = targets.getFirst().definition();
        boolean counts =
                !table.countsByPrefix()
                        && table.columns().stream().anyMatch(ColumnDefinition::autoIncrement);
        if (!ClientStatement.inserts(tokens) || !counts) {
            return 0;
        }
        int depth = 0;
        int rows = 0;
        boolean values = false;
        boolean queries = false;
        for (int i = 0; i < tokens.size(); i++) {
            queries |= depth == 0 && tokens.is(i, "WITH");
            if (tokens.is(i, '(')) {
                rows += depth == 0 && values ? 1 : 0;
                depth++;
            } else if (tokens.is(i, ')')) {
                depth--;
            } else if (depth == 0 && (tokens.is(i, "VALUES") || tokens.is(i, "VALUE"))) {
                values = true;
            } else if (depth == 0 && (tokens.is(i, "ON") || tokens.is(i, "RETURNING"))) {
                break;
            } else if (depth == 0 && tokens.is(i, "SET")) {
                return 1;
            } else if (depth == 0 && tokens.is(i, "SELECT")) {
                return hasEffects(tokens) ? -1 : COUNTED;
            }
        }
        return rows > 0 ? rows : queries && !hasEffects(tokens) ? COUNTED : -1;
    }

    /// The query of an INSERT ... SELECT.
    static ClientStatement query(ClientStatement statement) {
        Edits edits = new Edits(statement.tokens());
        ReplicaText.withLiterals(statement.bound(), statement.tokens(), edits);
        Tokens tokens = Tokens.of(edits.made());
        int from = -1;
        int to = tokens.size();
        int depth = 0;
        for (int i = 0; i < to; i++) {
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
            if (from < 0 && depth == 0 && (tokens.is(i, "WITH") || tokens.is(i, "SELECT"))) {
                from = i;
            }
            boolean over =
                    tokens.are(i, "ON", "DUPLICATE")
                            || tokens.is(i, "RETURNING")
                            || tokens.is(i, ';');
            if (depth == 0 && over) {
                to = i;
            }
        }
        return ClientStatement.of(tokens.text(from, to), List.of(), false, true);
    }

    /// Whether it assigns a column of a primary key: a row may be another one afterwards.
    static boolean moves(Tokens tokens, TableDefinition table) {
        ChangedRows rows = new ChangedRows(tokens);
        int duplicate = rows.next("DUPLICATE", 0);
        boolean changes = tokens.is(0, "UPDATE") || duplicate > 0;
        int from = duplicate > 0 ? duplicate : rows.next("SET", 0);
        int where = rows.next("WHERE", from);
        int to = where < 0 || duplicate > 0 ? tokens.size() : where;
        Set<String> key = keyColumns(table);
        int depth = 0;
        for (int i = from; changes && i < to; i++) {
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
            String name = tokens.name(i).toLowerCase(Locale.ROOT);
            if (depth == 0 && tokens.is(i + 1, '=') && key.contains(name)) {
                return true;
            }
        }
        return false;
    }

    /// In lower case.
    private static Set<String> keyColumns(TableDefinition table) {
        return table.rowKey().stream()
                .flatMap(index -> index.columns().stream())
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    /// All but what is assigned is looked at twice: for the rows as they were, and by the
    /// statement.
    static boolean hasEffects(Tokens tokens) {
        int depth = 0;
        boolean assigned = false;
        for (int i = 0; i < tokens.size(); i++) {
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
            if (depth == 0 && tokens.is(i, "SET")) {
                assigned = true;
            } else if (depth == 0 && (tokens.is(i, "WHERE") || tokens.is(i, "ORDER"))) {
                assigned = false;
            }
            boolean assigns = tokens.is(i, ':') && tokens.is(i + 1, '=');
            boolean calls =
                    tokens.is(i + 1, '(')
                            && EACH_TIME.contains(tokens.name(i).toLowerCase(Locale.ROOT));
            if (!assigned && (assigns || calls)) {
                return true;
            }
        }
        return false;
    }

    /// Whether one of its rows gets its id from the server.
    static boolean generates(Tokens tokens, TableDefinition table) {
        List<Map<String, Tokens>> rows = new ChangedRows(tokens).listed(table);
        Optional<String> counter = counter(table).map(ChangedRows::lower);
        return ClientStatement.inserts(tokens)
                && (rows.isEmpty()
                        ? !givesIds(tokens, table)
                        : counter.filter(column ->
                                        rows.stream()
                                                .anyMatch(row ->
                                                        StoredKeys.isGenerated(row.get(column))))
                                .isPresent());
    }

    /// Whether it may write the ids itself.
    static boolean givesIds(Tokens tokens, TableDefinition table) {
        int depth = 0;
        boolean listed = false;
        for (int i = 1; i < tokens.size(); i++) {
            if (depth == 0 && (tokens.is(i, "SELECT") || tokens.is(i, "WITH"))) {
                break;
            }
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
            listed |= tokens.is(i, '(');
            String name = tokens.name(i);
            if (depth == 1
                    && table.columns().stream()
                            .anyMatch(c -> c.autoIncrement() && c.name().equalsIgnoreCase(name))) {
                return true;
            }
        }
        return !listed;
    }
}
