package org.quiredb.scheduler.cluster;

/// Takes the packets of a result as they come from a replica.
public interface PartSink {
    PartSink NONE = (packets, consumed) -> consumed.run();

    /// Called on an event loop: must not block.
    ///
    /// @param consumed to be run when the packets have been passed on
    void part(byte[] packets, Runnable consumed);
}
