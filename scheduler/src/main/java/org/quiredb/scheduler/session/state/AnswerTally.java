package org.quiredb.scheduler.session.state;

/// A statement's answer on its way to the client, and what of it the next statement may ask for.
///
/// Threads: one at a time, as the answer's packets come one after the other.
public final class AnswerTally implements Output {
    private static final int HEADER = 4;

    /// Beside its rows a result has its number of columns, them, and two ends.
    private static final int OTHERS = 3;

    private final Output output;
    private long packets;
    private long columns;
    private long affectedRows;
    private boolean counted;

    public AnswerTally(Output output) {
        this.output = output;
    }

    @Override
    public void relay(byte[] whole, Runnable written) {
        count(whole);
        output.relay(whole, written);
    }

    @Override
    public void ok(long affected, long lastInsertId, int statusFlags, int warned, String info) {
        affectedRows = affected;
        counted = true;
        output.ok(affected, lastInsertId, statusFlags, warned, info);
    }

    void count(byte[] whole) {
        if (packets == 0 && whole.length > HEADER) {
            columns = columns(whole);
        }
        for (int at = 0; at < whole.length; packets++) {
            at +=
                    HEADER
                            + ((whole[at] & 0xFF)
                                    | (whole[at + 1] & 0xFF) << 8
                                    | (whole[at + 2] & 0xFF) << 16);
        }
    }

    /// The first packet's content: two bytes more where one does not do.
    private static long columns(byte[] whole) {
        int first = whole[HEADER] & 0xFF;
        return first < 0xFB ? first : (whole[HEADER + 1] & 0xFF) | (whole[HEADER + 2] & 0xFF) << 8;
    }

    /// Whether it has ended with a count of rows, as results of a procedure do, too.
    boolean isCounted() {
        return counted;
    }

    /// Whether it was a result set.
    boolean hasRows() {
        return packets > 0;
    }

    long rows() {
        return Math.max(0, packets - columns - OTHERS);
    }

    long affectedRows() {
        return affectedRows;
    }
}
