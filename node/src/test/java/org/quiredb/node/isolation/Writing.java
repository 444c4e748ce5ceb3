package org.quiredb.node.isolation;

import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import org.quiredb.node.isolation.Tables.Sort;
import org.quiredb.simulation.history.Transaction.Add;
import org.quiredb.simulation.history.Transaction.Append;
import org.quiredb.simulation.history.Transaction.Increment;
import org.quiredb.simulation.history.Transaction.Observation;
import org.quiredb.simulation.history.Transaction.Operation;
import org.quiredb.simulation.history.Transaction.ReadGroup;
import org.quiredb.simulation.history.Transaction.Remove;
import org.quiredb.simulation.history.Transaction.Replace;

/// Changes of keys. What a statement does is written down before it runs: it may take effect and
/// not be answered.
///
/// Threads: one.
final class Writing {
    private static final int NOBODYS = -1;

    private final Rows rows;
    private final Reading reading;
    private final Keeper keeper;
    private final Mix mix;
    private final Random random;

    Writing(Rows rows, Reading reading, Keeper keeper, Mix mix, Random random) {
        this.rows = rows;
        this.reading = reading;
        this.keeper = keeper;
        this.mix = mix;
        this.random = random;
    }

    /// @param alone whether it must be a single statement
    void write(int schema, Sort sort, boolean alone, List<Operation> operations)
            throws SQLException {
        int number = random.nextInt(mix.keys());
        switch (sort) {
            case COUNTER -> increment(schema, number, operations);
            case LIST -> append(schema, number, operations);
            case REGISTER -> replace(schema, number, operations);
            case ELEMENT -> {
                if (alone || random.nextInt(3) == 0) {
                    insertBehind(schema, number, operations);
                } else {
                    insert(schema, number, operations);
                }
            }
            case GROUP -> {
                switch (random.nextInt(alone ? 5 : 6)) {
                    case 0, 1, 2 -> join(schema, number, operations);
                    case 3 -> leave(schema, number, operations);
                    case 4 -> move(schema, number, operations);
                    default -> leaveBelow(schema, number, operations);
                }
            }
        }
    }

    private void append(int schema, int number, List<Operation> operations) throws SQLException {
        int value = keeper.value();
        operations.add(new Append(Tables.key(schema, Sort.LIST, number), value));
        if (random.nextInt(3) == 0) {
            rows.update(
                    "INSERT INTO %s.list (k, g, v) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE v = CONCAT(v, ?)"
                            .formatted(Tables.schema(schema)),
                    number,
                    number,
                    value + ",",
                    value + ",");
            return;
        }
        one(
                "UPDATE %s.list SET v = CONCAT(v, ?) WHERE %s = ?"
                        .formatted(Tables.schema(schema), random.nextBoolean() ? "k" : "g"),
                value + ",",
                number);
    }

    private void increment(int schema, int number, List<Operation> operations) throws SQLException {
        operations.add(new Increment(Tables.key(schema, Sort.COUNTER, number)));
        if (random.nextBoolean()
                || rows.update(
                                "UPDATE %s.counter SET v = v + 1 WHERE k = ?"
                                        .formatted(Tables.schema(schema)),
                                number)
                        == 0) {
            rows.update(
                    "INSERT INTO %s.counter (k, v) VALUES (?, 1) ON DUPLICATE KEY UPDATE v = v + 1"
                            .formatted(Tables.schema(schema)),
                    number);
        }
    }

    /// Changes nothing, with the locks of a change.
    void touch(int schema, Sort sort) throws SQLException {
        String table =
                switch (sort) {
                    case LIST -> "list";
                    case REGISTER -> "register";
                    case ELEMENT -> "element";
                    case GROUP -> "member";
                    case COUNTER -> "counter";
                };
        String key = sort == Sort.GROUP ? "g" : "k";
        rows.update(
                "UPDATE %s.%s SET v = v WHERE %s = ?".formatted(Tables.schema(schema), table, key),
                random.nextInt(mix.keys()));
    }

    private void replace(int schema, int number, List<Operation> operations) throws SQLException {
        operations.add(reading.one(schema, Sort.REGISTER, number));
        int value = keeper.value();
        operations.add(new Replace(Tables.key(schema, Sort.REGISTER, number), value));
        one(
                "UPDATE %s.register SET v = ? WHERE %s = ?"
                        .formatted(Tables.schema(schema), random.nextBoolean() ? "k" : "g"),
                value,
                number);
    }

    private void insert(int schema, int number, List<Operation> operations) throws SQLException {
        Observation before = reading.one(schema, Sort.ELEMENT, number);
        operations.add(before);
        int value = keeper.value();
        operations.add(new Append(before.key(), value));
        one(
                "INSERT INTO %s.element (v, k, position) VALUES (?, ?, ?)"
                        .formatted(Tables.schema(schema)),
                value,
                number,
                before.values().size());
    }

    /// In one statement, which reads the list by itself.
    private void insertBehind(int schema, int number, List<Operation> operations)
            throws SQLException {
        int value = keeper.value();
        operations.add(new Append(Tables.key(schema, Sort.ELEMENT, number), value));
        one(
                "INSERT INTO %1$s.element (v, k, position) SELECT ?, ?, COUNT(*) FROM %1$s.element WHERE k = ?"
                        .formatted(Tables.schema(schema)),
                value,
                number,
                number);
    }

    private void join(int schema, int number, List<Operation> operations) throws SQLException {
        int key = Tables.key(schema, Sort.GROUP, number);
        int value = keeper.member(key);
        if (value != 0) {
            operations.add(new Add(key, value));
            one(
                    "INSERT INTO %s.member (v, g, weight) VALUES (?, ?, ?)"
                            .formatted(Tables.schema(schema)),
                    value,
                    number,
                    keeper.weight(key, value));
        }
    }

    /// A member that there is, or was, or that is not committed.
    private int someone(int key) {
        List<Integer> members = keeper.members(key);
        int recent = Math.max(0, members.size() - 6);
        return members.isEmpty() ? 0 : members.get(random.nextInt(recent, members.size()));
    }

    private void leave(int schema, int number, List<Operation> operations) throws SQLException {
        int key = Tables.key(schema, Sort.GROUP, number);
        int value = someone(key);
        if (value == 0) {
            return;
        }
        operations.add(new Remove(key, value));
        if (rows.update(
                        "DELETE FROM %s.member WHERE v = ? AND g = ?"
                                .formatted(Tables.schema(schema)),
                        value,
                        number)
                == 0) {
            operations.removeLast();
        }
    }

    private void move(int schema, int number, List<Operation> operations) throws SQLException {
        int key = Tables.key(schema, Sort.GROUP, number);
        int to = random.nextInt(mix.keys());
        int toKey = Tables.key(schema, Sort.GROUP, to);
        int value = someone(key);
        int moved = value == 0 ? 0 : keeper.member(toKey);
        if (moved != 0) {
            operations.add(new Remove(key, value));
            operations.add(new Add(toKey, moved));
            if (rows.update(
                            "UPDATE %s.member SET v = ?, g = ?, weight = ? WHERE v = ? AND g = ?"
                                    .formatted(Tables.schema(schema)),
                            moved,
                            to,
                            keeper.weight(toKey, moved),
                            value,
                            number)
                    == 0) {
                operations.removeLast();
                operations.removeLast();
            }
        }
    }

    /// Removes the older half by a predicate.
    private void leaveBelow(int schema, int number, List<Operation> operations)
            throws SQLException {
        Observation there = reading.one(schema, Sort.GROUP, number);
        operations.add(there);
        if (there.values().isEmpty()) {
            return;
        }
        List<Integer> sorted = there.values().stream().sorted().toList();
        List<Integer> leaving = sorted.subList(0, (sorted.size() + 1) / 2);
        leaving.forEach(value -> operations.add(new Remove(there.key(), value)));
        int left =
                rows.update(
                        "DELETE FROM %s.member WHERE g = ? AND v <= ?"
                                .formatted(Tables.schema(schema)),
                        number,
                        leaving.getLast());
        if (left != leaving.size()) {
            operations.add(new ReadGroup(there.key(), List.of(NOBODYS)));
        }
    }

    private void one(String sql, Object... parameters) throws SQLException {
        int found = rows.update(sql, parameters);
        if (found != 1) {
            throw new IllegalStateException("%s found %d rows".formatted(sql, found));
        }
    }
}
