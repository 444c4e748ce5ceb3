package org.quiredb.scheduler.session;

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
                public void rows(long packets) {}

                @Override
                public void ok(
                        long affectedRows,
                        long lastInsertId,
                        int statusFlags,
                        int warnings,
                        String info) {}
            };

    /// Passes whole packets on, numbered from 1. Threads: any.
    ///
    /// @param written runs when they have left, or cannot any more
    void relay(byte[] packets, Runnable written);

    /// The result set is complete.
    void rows(long packets);

    void ok(long affectedRows, long lastInsertId, int statusFlags, int warnings, String info);
}
