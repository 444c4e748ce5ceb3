package org.quiredb.replica.h2.statement;

import org.quiredb.replica.page.TableCounters;

/// The AUTO_INCREMENT values that one statement uses.
///
/// Threads: the statement's own.
public final class AutoIncrement {
    private final int rows;
    private long given;
    private long first;
    private long last;
    private long next;
    private long end;
    private long lastSeen;
    private boolean ofRow;
    private Runnable unused = () -> {};

    /// @param rows how many the statement is to insert, as far as its text tells
    /// @param given the first value to generate, 0 for the table's next
    AutoIncrement(int rows, long given) {
        this.rows = rows;
        this.given = given;
    }

    /// The next value. An INSERT of rows takes values for all of them at once, so that they follow
    /// one another, as clients expect.
    public long generate(TableCounters counters) {
        if (next == end) {
            int wanted = end != 0 ? 1 : rows;
            next = take(counters, wanted);
            end = next + wanted;
        }
        long value = next++;
        first = first == 0 ? value : first;
        last = value;
        lastSeen = value;
        ofRow = true;
        return value;
    }

    private long take(TableCounters counters, int wanted) {
        if (given == 0) {
            long start = counters.takeAutoIncrement(wanted);
            unused = () -> counters.giveBackAutoIncrement(start, start + wanted);
            return start;
        }
        long start = given;
        given = 0;
        counters.raiseAutoIncrement(start + wanted);
        return start;
    }

    /// The statement is not run here: who runs it generates them anew.
    public void refused() {
        unused.run();
    }

    /// The row passes no CHECK, which a server sees before it gives the row its value, and before
    /// it takes values for the rows after it.
    public void refusedRow(long value) {
        if (value == first && value == last) {
            unused.run();
        }
    }

    /// The row was not inserted: the value generated for it is for the next one.
    public void notInserted() {
        if (ofRow && last != 0 && next == last + 1) {
            next--;
            first = first == last ? 0 : first;
            last = first == 0 ? 0 : last - 1;
        }
    }

    /// A row begins, for which none is generated yet.
    public void begins() {
        ofRow = false;
    }

    /// A value given where others of the statement are generated: those after it are greater, and
    /// still of the ones taken while these last.
    public void explicit(long value) {
        lastSeen = value;
        passOver(value);
    }

    /// ON DUPLICATE KEY UPDATE has come by a row that has this value now.
    public void updated(long value, boolean changed) {
        lastSeen = value;
        if (changed) {
            passOver(value);
        }
    }

    private void passOver(long value) {
        if (value >= next) {
            next = Math.min(value + 1, end);
        }
    }

    /// Whether that is what LAST_INSERT_ID() becomes.
    public boolean generated() {
        return first != 0;
    }

    /// As the OK packet shows it where rows came or changed: the first value generated for one of
    /// them, else that of the last row, whatever became of it.
    public long insertId() {
        return first != 0 ? first : lastSeen;
    }
}
