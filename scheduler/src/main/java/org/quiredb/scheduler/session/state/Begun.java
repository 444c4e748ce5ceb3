package org.quiredb.scheduler.session.state;

/// An answer on its way, of which it is known whether something has gone out.
///
/// Threads: one at a time, as the answer's packets come one after the other.
public final class Begun implements Output {
    private final Output output;
    private volatile boolean any;

    public Begun(Output output) {
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

    public boolean any() {
        return any;
    }
}
