package org.quiredb.master.commit;

/// @param maximumUnderWay commits of a class that may be at once without their stability, or
///   without their place in the log
/// @param waitMillis how long a commit waits to become stable
/// @param batch commits that go out in one group message or one append
/// @param retryMillis between two tries to reach the log
/// @param durability the same for every replica
public record CommitSettings(
        int maximumUnderWay, long waitMillis, int batch, long retryMillis, Durability durability) {
    public static final CommitSettings DEFAULT = new CommitSettings(1024, 30_000, 256, 100);

    public CommitSettings(int maximumUnderWay, long waitMillis, int batch, long retryMillis) {
        this(maximumUnderWay, waitMillis, batch, retryMillis, Durability.LOGGED);
    }

    public CommitSettings with(Durability other) {
        return new CommitSettings(maximumUnderWay, waitMillis, batch, retryMillis, other);
    }

    public CommitSettings {
        if (maximumUnderWay < 1 || waitMillis < 1 || batch < 1 || retryMillis < 1) {
            throw new IllegalArgumentException("commit settings are at least 1");
        }
    }
}
