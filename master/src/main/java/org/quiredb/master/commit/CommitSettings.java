package org.quiredb.master.commit;

/// @param maximumUnderWay commits of a class that may be at once without their stability, or
///   without their place in the log
/// @param maximumBytes that those may take together in the log; a larger one is under way alone
/// @param waitMillis how long a commit waits to become stable
/// @param batch commits that go out in one group message or one append
/// @param retryMillis between two tries to reach the log
/// @param durability the same for every replica
public record CommitSettings(
        int maximumUnderWay,
        long maximumBytes,
        long waitMillis,
        int batch,
        long retryMillis,
        Durability durability) {
    /// Every replica has a commit some ten times while it is under way: its pages, and the messages
    /// that it comes and goes in.
    private static final int PART_OF_HEAP = 32;

    public static final CommitSettings DEFAULT = new CommitSettings(1024, 30_000, 256, 100);

    public CommitSettings(int maximumUnderWay, long waitMillis, int batch, long retryMillis) {
        this(
                maximumUnderWay,
                Math.max(1 << 20, Runtime.getRuntime().maxMemory() / PART_OF_HEAP),
                waitMillis,
                batch,
                retryMillis,
                Durability.LOGGED);
    }

    public CommitSettings with(Durability other) {
        return new CommitSettings(
                maximumUnderWay, maximumBytes, waitMillis, batch, retryMillis, other);
    }

    public CommitSettings {
        if (maximumUnderWay < 1
                || maximumBytes < 1
                || waitMillis < 1
                || batch < 1
                || retryMillis < 1) {
            throw new IllegalArgumentException("commit settings are at least 1");
        }
    }
}
