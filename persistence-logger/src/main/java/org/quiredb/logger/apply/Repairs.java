package org.quiredb.logger.apply;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.common.writeset.RowShape;

/// Which rows of a class one backend is known to have otherwise than the tier, and when they are
/// put right: what a replica has told of them is right at one commit of the class, and put there
/// when the backend is exactly at it. Why that is right stands in the package.
///
/// A row is known by the key that its table had when it came to be owed: with the table, or with
/// that key, it is forgotten.
///
/// Bound: so many rows; what is more is told, and is for `quire verify --repair`. Threads: one;
/// Applier guards it by its lock.
final class Repairs {
    private static final int MAXIMUM_ROWS = 20_000;
    private static final int AT_ONCE = 200;
    private static final long LATER_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// For so long what was told may wait for its commit: one that is lost with its master never
    /// comes.
    private static final long AWAITED_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// What is told of some rows.
    ///
    /// @param hold keeps the backend from going past the commit that the rows are of
    record Told(List<RowChange> keys, ReplicaRows.Found found, long hold) {}

    private final Map<ByteBuffer, RowChange> owed = new LinkedHashMap<>();
    private @Nullable Told told;
    private long notBeforeNanos;
    private boolean waits;
    private long repaired;
    private String reason = "";

    /// @param changes by their keys
    /// @return whether all are kept in mind
    boolean owe(List<RowChange> changes) {
        for (RowChange change : changes) {
            RowChange key = deletion(change);
            ByteBuffer bytes = bytes(key);
            if (owed.size() >= MAXIMUM_ROWS && !owed.containsKey(bytes)) {
                return false;
            }
            owed.put(bytes, key);
        }
        return true;
    }

    int owed() {
        return owed.size();
    }

    /// What is forgotten after a schema change.
    ///
    /// @param lost how many rows
    /// @param told what was told of rows that are forgotten: it is to be put nowhere
    record Forgotten(long lost, Optional<Told> told) {}

    /// @param tables as the backend has them now
    Forgotten keep(List<TableDefinition> tables) {
        Map<RowShape, Boolean> kept = new HashMap<>();
        long lost = 0;
        for (var each = owed.values().iterator(); each.hasNext(); ) {
            RowShape shape = each.next().shape();
            if (!kept.computeIfAbsent(shape, s -> tables.stream().anyMatch(t -> hasKey(t, s)))) {
                each.remove();
                lost++;
            }
        }
        Optional<Told> before =
                told().filter(answer -> !kept.getOrDefault(answer.keys().getFirst().shape(), true));
        if (before.isPresent()) {
            told = null;
        }
        return new Forgotten(lost, before);
    }

    private static boolean hasKey(TableDefinition table, RowShape shape) {
        Set<String> stored =
                table.columns().stream()
                        .filter(column -> column.generation() == null)
                        .map(ColumnDefinition::name)
                        .collect(Collectors.toCollection(LinkedHashSet::new));
        Optional<List<String>> primary =
                table.indexes().stream()
                        .filter(IndexDefinition::primary)
                        .findFirst()
                        .map(IndexDefinition::columns)
                        .filter(stored::containsAll);
        return table.schema().equals(shape.schema())
                && table.name().equals(shape.table())
                && (shape.kind() == RowShape.Kind.DELETE
                        ? primary.equals(Optional.of(shape.key()))
                        : stored.equals(Set.copyOf(shape.key())));
    }

    /// Why no replica tells of the rows; empty when one does, or none was asked.
    String reason() {
        return reason;
    }

    /// Rows put right so far.
    long repaired() {
        return repaired;
    }

    void repaired(long rows) {
        repaired += rows;
    }

    /// Whether something is to be done now.
    ///
    /// @param applied where the backend is
    boolean isDue(long applied, long nowNanos) {
        boolean reached = told != null && told.found().commitNumber() <= applied;
        return reached || nanosUntilDue(nowNanos) <= 0;
    }

    /// How long nothing is to be done unless the backend goes on.
    long nanosUntilDue(long nowNanos) {
        if (owed.isEmpty()) {
            return Long.MAX_VALUE;
        }
        return waits || told != null ? notBeforeNanos - nowNanos : 0;
    }

    Optional<Told> told() {
        return Optional.ofNullable(told);
    }

    /// The keys to ask for, of one table.
    List<RowChange> next() {
        List<RowChange> keys = new ArrayList<>();
        for (RowChange key : owed.values()) {
            if (keys.size() < AT_ONCE && (keys.isEmpty() || sameTable(keys.getFirst(), key))) {
                keys.add(key);
            }
        }
        return keys;
    }

    private static boolean sameTable(RowChange one, RowChange other) {
        return one.shape().schema().equals(other.shape().schema())
                && one.shape().table().equals(other.shape().table());
    }

    void tell(Told answer, long nowNanos) {
        told = answer;
        notBeforeNanos = nowNanos + AWAITED_NANOS;
        waits = false;
        reason = "";
    }

    /// What was told is put there.
    void done(List<RowChange> keys) {
        told = null;
        keys.forEach(key -> owed.remove(bytes(key)));
        repaired += keys.size();
    }

    /// What was told holds no more, or nothing was: it is asked again later, after other tables.
    void later(String because, long nowNanos) {
        for (RowChange key : next()) {
            ByteBuffer bytes = bytes(key);
            owed.remove(bytes);
            owed.put(bytes, key);
        }
        told = null;
        waits = true;
        reason = because;
        notBeforeNanos = nowNanos + LATER_NANOS;
    }

    private static RowChange deletion(RowChange change) {
        RowShape shape = change.shape();
        boolean like = shape.kind() == RowShape.Kind.DELETE_LIKE;
        return new RowChange(
                new RowShape(
                        like ? RowShape.Kind.DELETE_LIKE : RowShape.Kind.DELETE,
                        shape.schema(),
                        shape.table(),
                        shape.key(),
                        like ? shape.columns() : List.of(),
                        ""),
                change.key());
    }

    private static ByteBuffer bytes(RowChange key) {
        ByteWriter writer = new ByteWriter(64);
        RowChanges.of(List.of(key)).encode(writer);
        return ByteBuffer.wrap(writer.toByteArray());
    }
}
