package org.quiredb.scheduler.session.state;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.Condition;
import org.quiredb.sql.command.SessionTerms.Known;
import org.quiredb.sql.command.SessionTerms.Sequence;

/// What is left of a session's statements for the next one to ask: LAST_INSERT_ID(), ROW_COUNT(),
/// FOUND_ROWS(), LASTVAL() of sequences, warnings.
///
/// It is of what the client was told, so that nothing of it changes when a transaction goes on on
/// another master.
///
/// Threads: owned by the session's thread.
public final class Diagnostics {
    /// Then LASTVAL() of the one asked first is NULL.
    private static final int MOST_SEQUENCES = 64;

    private final Map<Sequence, Long> sequences = new LinkedHashMap<>();
    private long lastInsertId;
    private long rowCount;
    private long foundRows;
    private long calculated = -1;
    private List<Condition> conditions = List.of();
    private long told;

    public void lastInsertId(long id) {
        lastInsertId = id;
    }

    /// What a sequence has given last; null where it has given nothing.
    ///
    /// @param sequence with its database
    public @Nullable Long lastOf(Sequence sequence) {
        return sequences.get(sequence);
    }

    public void lastOf(Sequence sequence, long value) {
        if (!sequences.containsKey(sequence) && sequences.size() == MOST_SEQUENCES) {
            sequences.remove(sequences.keySet().iterator().next());
        }
        sequences.put(sequence, value);
    }

    /// How many rows there would be without LIMIT, for a statement that asks for that.
    public void calculated(long rows) {
        calculated = rows;
    }

    /// How many statements have had some, by which a statement's own are told from older ones.
    public long told() {
        return told;
    }

    public List<Condition> conditions() {
        return conditions;
    }

    /// @param namesTables as on a server, other statements leave the warnings alone
    public void begins(boolean namesTables) {
        calculated = -1;
        conditions = namesTables ? List.of() : conditions;
    }

    public void warned(List<Condition> by) {
        if (!by.isEmpty()) {
            told++;
            conditions = by.size() > Condition.MOST ? by.subList(0, Condition.MOST) : by;
        }
    }

    public void failed(int number, String message) {
        rowCount = -1;
        told++;
        conditions = List.of(new Condition(Condition.ERROR, number, message));
    }

    /// @param skipped rows that its OFFSET has left out, which count as found
    /// @param counts its rows count as found
    public void answered(AnswerTally answer, long skipped, boolean counts) {
        rowCount = answer.hasRows() && !answer.isCounted() ? -1 : answer.affectedRows();
        if (answer.hasRows() && counts) {
            long rows = answer.rows();
            foundRows = calculated >= 0 ? calculated : rows == 0 ? 0 : rows + skipped;
        }
    }

    /// A query has given its rows to variables.
    public void counted(long rows) {
        rowCount = rows;
    }

    /// Runs something that is no statement of its own, and counts nothing.
    public void keepingCounts(Runnable action) {
        long rows = rowCount;
        long found = foundRows;
        action.run();
        rowCount = rows;
        foundRows = found;
    }

    /// @param inTransaction whether a transaction is open
    long value(Known known, boolean inTransaction) {
        return switch (known) {
            case LAST_INSERT_ID -> lastInsertId;
            case ROW_COUNT -> rowCount;
            case FOUND_ROWS -> foundRows;
            case WARNING_COUNT -> conditions.size();
            case ERROR_COUNT -> conditions.stream().filter(Condition::isError).count();
            case IN_TRANSACTION -> inTransaction ? 1 : 0;
        };
    }

    void reset() {
        lastInsertId = 0;
        rowCount = 0;
        foundRows = 0;
        sequences.clear();
        conditions = List.of();
    }
}
