package org.quiredb.replica.result;

/// How much is kept of what.
///
/// @param maximumBytes of all results; 0 keeps none
/// @param dearNanos what an execution takes at least whose result is worth keeping
public record Keeping(long maximumBytes, long dearNanos) {
    /// To look for a result and to copy it takes about a microsecond. Tests keep whatever was
    /// computed twice.
    private static final long DEAR_NANOS = Long.getLong("quire.results.nanos", 30_000);

    public static final Keeping NONE = of(0);

    public static Keeping of(long maximumBytes) {
        return new Keeping(maximumBytes, DEAR_NANOS);
    }
}
