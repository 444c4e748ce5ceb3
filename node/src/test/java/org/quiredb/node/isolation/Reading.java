package org.quiredb.node.isolation;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.quiredb.node.isolation.Tables.Sort;
import org.quiredb.simulation.history.Transaction.Observation;
import org.quiredb.simulation.history.Transaction.Operation;
import org.quiredb.simulation.history.Transaction.ReadCounter;
import org.quiredb.simulation.history.Transaction.ReadGroup;
import org.quiredb.simulation.history.Transaction.ReadList;
import org.quiredb.simulation.history.Transaction.ReadRegister;

/// Reads of keys on every access path: by primary key, by another index, in ranges, over the whole
/// table, and as aggregates.
///
/// Threads: one.
final class Reading {
    private final Rows rows;
    private final Keeper keeper;
    private final Mix mix;
    private final Random random;

    Reading(Rows rows, Keeper keeper, Mix mix, Random random) {
        this.rows = rows;
        this.keeper = keeper;
        this.mix = mix;
        this.random = random;
    }

    /// One key, or several that lie together.
    ///
    /// @param suffix of the statement, as `FOR UPDATE`
    /// @param condition that is always true, as one that only the backend can judge
    List<? extends Operation> read(int schema, Sort sort, String condition, String suffix)
            throws SQLException {
        int from = random.nextInt(mix.keys());
        int to = random.nextInt(3) == 0 ? Math.min(from + 1, mix.keys() - 1) : from;
        Range range = new Range(schema, sort, from, to, condition, suffix);
        return switch (sort) {
            case LIST, REGISTER -> texts(range);
            case ELEMENT -> elements(range);
            case GROUP -> random.nextInt(3) == 0 ? sums(range) : members(range);
            case COUNTER -> counters(range);
        };
    }

    /// Every key of a schema.
    List<Operation> readAll(int schema) throws SQLException {
        List<Operation> all = new ArrayList<>();
        for (Sort sort : Sort.values()) {
            Range range = new Range(schema, sort, 0, mix.keys() - 1, "", "");
            all.addAll(
                    switch (sort) {
                        case LIST, REGISTER -> texts(range);
                        case ELEMENT -> elements(range);
                        case GROUP -> members(range);
                        case COUNTER -> counters(range);
                    });
        }
        return all;
    }

    /// What is in one key.
    Observation one(int schema, Sort sort, int number) throws SQLException {
        Range range = new Range(schema, sort, number, number, "", "");
        return switch (sort) {
            case LIST, REGISTER -> texts(range).getFirst();
            case ELEMENT -> elements(range).getFirst();
            case GROUP -> members(range).getFirst();
            case COUNTER -> throw new IllegalArgumentException("it tells no values");
        };
    }

    private record Range(int schema, Sort sort, int from, int to, String condition, String suffix) {
        String table() {
            return Tables.schema(schema)
                    + "."
                    + switch (sort) {
                        case LIST -> "list";
                        case REGISTER -> "register";
                        case ELEMENT -> "element";
                        case GROUP -> "member";
                        case COUNTER -> "counter";
                    };
        }

        int key(int number) {
            return Tables.key(schema, sort, number);
        }
    }

    /// The rows of a range, each with its key first.
    private List<List<String>> select(Range range, String what, String column, String order)
            throws SQLException {
        String select = "SELECT %s FROM %s".formatted(what, range.table());
        String end = "%s%s%s".formatted(range.condition(), order, range.suffix());
        if (range.from() == range.to() && random.nextInt(4) != 0) {
            return rows.query("%s WHERE %s = ?%s".formatted(select, column, end), range.from());
        }
        if (random.nextInt(3) == 0) {
            return rows.query("%s WHERE %s >= 0%s".formatted(select, column, end)).stream()
                    .filter(row -> number(row) >= range.from() && number(row) <= range.to())
                    .toList();
        }
        return rows.query(
                "%s WHERE %s BETWEEN ? AND ?%s".formatted(select, column, end),
                range.from(),
                range.to());
    }

    private List<Observation> texts(Range range) throws SQLException {
        String column = random.nextBoolean() ? "k" : "g";
        String order = random.nextBoolean() ? "" : " ORDER BY " + column + " DESC";
        List<Observation> read = new ArrayList<>();
        for (List<String> row : select(range, column + ", v", column, order)) {
            int key = range.key(number(row));
            String text = row.get(1);
            read.add(
                    range.sort() == Sort.REGISTER
                            ? new ReadRegister(key, Integer.parseInt(text))
                            : new ReadList(key, list(text)));
        }
        if (read.size() != range.to() - range.from() + 1) {
            throw new IllegalStateException(range + " gave " + read);
        }
        return read;
    }

    private static List<Integer> list(String text) {
        return Arrays.stream(text.split(","))
                .filter(value -> !value.isEmpty())
                .map(Integer::valueOf)
                .toList();
    }

    private List<Observation> elements(Range range) throws SQLException {
        List<Observation> read = new ArrayList<>();
        byKey(range, select(range, "k, v", "k", " ORDER BY k, position, v"))
                .forEach((number, values) -> read.add(new ReadList(range.key(number), values)));
        return read;
    }

    private List<ReadCounter> counters(Range range) throws SQLException {
        Map<Integer, ReadCounter> read = new TreeMap<>();
        for (int number = range.from(); number <= range.to(); number++) {
            read.put(number, new ReadCounter(range.key(number), 0));
        }
        for (List<String> row : select(range, "k, v", "k", "")) {
            read.put(
                    number(row),
                    new ReadCounter(range.key(number(row)), Integer.parseInt(row.get(1))));
        }
        return List.copyOf(read.values());
    }

    private List<Observation> members(Range range) throws SQLException {
        String order = random.nextBoolean() ? "" : " ORDER BY v";
        List<Observation> read = new ArrayList<>();
        byKey(range, select(range, "g, v", "g", order))
                .forEach((number, values) -> read.add(new ReadGroup(range.key(number), values)));
        return read;
    }

    private static Map<Integer, List<Integer>> byKey(Range range, List<List<String>> rows) {
        Map<Integer, List<Integer>> values = new TreeMap<>();
        for (int number = range.from(); number <= range.to(); number++) {
            values.put(number, new ArrayList<>());
        }
        rows.forEach(row ->
                values.computeIfAbsent(number(row), n -> new ArrayList<>())
                        .add(Integer.valueOf(row.get(1))));
        return values;
    }

    private List<Observation> sums(Range range) throws SQLException {
        String what = "COUNT(*), SUM(weight)";
        Map<Integer, Observation> read = new TreeMap<>();
        for (int number = range.from(); number <= range.to(); number++) {
            int key = range.key(number);
            read.put(number, new ReadGroup(key, List.of()));
        }
        if (range.from() == range.to()) {
            List<String> row =
                    rows.query(
                                    "SELECT %s FROM %s WHERE g = ?%s"
                                            .formatted(what, range.table(), range.condition()),
                                    range.from())
                            .getFirst();
            read.put(range.from(), sum(range.key(range.from()), row.getFirst(), row.get(1)));
        } else {
            String sql =
                    "SELECT g, %s FROM %s WHERE g BETWEEN ? AND ?%s GROUP BY g"
                            .formatted(what, range.table(), range.condition());
            for (List<String> row : rows.query(sql, range.from(), range.to())) {
                read.put(number(row), sum(range.key(number(row)), row.get(1), row.get(2)));
            }
        }
        return List.copyOf(read.values());
    }

    private Observation sum(int key, String count, String sum) {
        long bits = sum.equals("null") ? 0 : Long.parseLong(sum);
        return new ReadGroup(key, keeper.decode(key, bits, Integer.parseInt(count)));
    }

    private static int number(List<String> row) {
        return Integer.parseInt(row.getFirst());
    }
}
