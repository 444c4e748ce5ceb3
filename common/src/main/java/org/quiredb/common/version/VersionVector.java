package org.quiredb.common.version;

import java.util.Arrays;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// One commit number per table, indexed by table id: the last stable update of each table, or a
/// tag.
///
/// A table that the vector does not name has commit number 0, the state before its first update.
/// Source: Dynamic Multiversioning, section 2.1 (`DBVersion`). Immutable.
public final class VersionVector {
    public static final VersionVector EMPTY = new VersionVector(new long[0]);

    /// No table's id is as great.
    public static final int MAXIMUM_TABLES = 1 << 16;

    private final long[] commitNumbers;

    private VersionVector(long[] commitNumbers) {
        this.commitNumbers = commitNumbers;
    }

    public long get(int tableId) {
        return tableId < commitNumbers.length ? commitNumbers[tableId] : 0;
    }

    public VersionVector with(int tableId, long commitNumber) {
        if (get(tableId) == commitNumber) {
            return this;
        }
        long[] copy = Arrays.copyOf(commitNumbers, Math.max(commitNumbers.length, tableId + 1));
        copy[tableId] = commitNumber;
        return new VersionVector(copy);
    }

    /// The least vector that covers both.
    public VersionVector merge(VersionVector other) {
        if (covers(other)) {
            return this;
        }
        if (other.covers(this)) {
            return other;
        }
        long[] longer = new long[Math.max(commitNumbers.length, other.commitNumbers.length)];
        Arrays.setAll(longer, table -> Math.max(get(table), other.get(table)));
        return new VersionVector(longer);
    }

    /// The greatest vector that both cover: what a low watermark is made of.
    public VersionVector floor(VersionVector other) {
        if (covers(other)) {
            return other;
        }
        if (other.covers(this)) {
            return this;
        }
        long[] shorter = new long[Math.min(commitNumbers.length, other.commitNumbers.length)];
        Arrays.setAll(shorter, table -> Math.min(get(table), other.get(table)));
        return new VersionVector(shorter);
    }

    public boolean covers(VersionVector other) {
        for (int table = 0; table < other.commitNumbers.length; table++) {
            if (get(table) < other.commitNumbers[table]) {
                return false;
            }
        }
        return true;
    }

    /// One more than the highest table id that the vector names.
    public int size() {
        return commitNumbers.length;
    }

    public void encode(ByteWriter writer) {
        writer.varint(commitNumbers.length);
        for (long commitNumber : commitNumbers) {
            writer.varint(commitNumber);
        }
    }

    public static VersionVector decode(ByteReader reader) {
        long[] commitNumbers = new long[reader.count(MAXIMUM_TABLES)];
        for (int table = 0; table < commitNumbers.length; table++) {
            commitNumbers[table] = reader.varint();
        }
        return new VersionVector(commitNumbers);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VersionVector that && covers(that) && that.covers(this);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int table = commitNumbers.length - 1; table >= 0; table--) {
            if (commitNumbers[table] != 0 || hash != 1) {
                hash = 31 * hash + Long.hashCode(commitNumbers[table]);
            }
        }
        return hash;
    }

    @Override
    public String toString() {
        return Arrays.toString(commitNumbers);
    }
}
