package org.quiredb.scheduler.replay;

/// What a transaction may have done to be replayed.
///
/// @param statements 0 for no replay at all
/// @param bytes of the statements' texts and values
/// @param ageMillis since its first statement
public record ReplayLimits(int statements, long bytes, long ageMillis) {
    public static final ReplayLimits DEFAULT = new ReplayLimits(1_000, 1 << 20, 60_000);
}
