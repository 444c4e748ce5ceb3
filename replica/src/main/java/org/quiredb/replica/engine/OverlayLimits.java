package org.quiredb.replica.engine;

/// How much of a transaction's rows may be laid over a backend's state.
///
/// @param bytes of the rows as the log would have them
public record OverlayLimits(int rows, int bytes) {}
