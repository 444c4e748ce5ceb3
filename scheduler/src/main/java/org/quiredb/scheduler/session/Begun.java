package org.quiredb.scheduler.session;

import org.quiredb.scheduler.session.state.Output;

/// An answer on its way, of which it is known whether something has gone out.
///
/// Threads: one at a time, as the answer's packets come one after the other.
final class Begun implements Output {
    private final Output output;
    private volatile boolean any;

    Begun(Output output) {
        this.output = output;
    }

    @Override
    public void relay(byte[] packets, Runnable written) {
        any = true;
        output.relay(packets, written);
    }

    @Override
    public void ok(
            long affectedRows, long lastInsertId, int statusFlags, int warnings, String info) {
        any = true;
        output.ok(affectedRows, lastInsertId, statusFlags, warnings, info);
    }

    boolean any() {
        return any;
    }
}
