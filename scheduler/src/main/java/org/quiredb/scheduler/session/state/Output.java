package org.quiredb.scheduler.session.state;

/// Where a statement's answer goes.
public interface Output {
    /// Of a statement that no client sent.
    Output NOWHERE =
            new Output() {
                @Override
                public void relay(byte[] packets, Runnable written) {
                    written.run();
                }

                @Override
                public void ok(
                        long affectedRows,
                        long lastInsertId,
                        int statusFlags,
                        int warnings,
                        String info) {}
            };

    /// Passes whole packets on, whatever their numbers. Threads: any.
    ///
    /// @param written runs when they have left, or cannot any more
    void relay(byte[] packets, Runnable written);

    void ok(long affectedRows, long lastInsertId, int statusFlags, int warnings, String info);
}
