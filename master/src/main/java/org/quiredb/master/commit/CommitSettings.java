package org.quiredb.master.commit;

/// @param maximumUnderWay commits of a class that may be without their stability at once
/// @param waitMillis how long a commit waits to become stable
/// @param batch commits that go out in one group message or one append
/// @param retryMillis between two tries to reach the log
public record CommitSettings(int maximumUnderWay, long waitMillis, int batch, long retryMillis) {
    public static final CommitSettings DEFAULT = new CommitSettings(1024, 30_000, 256, 100);

    public CommitSettings {
        if (maximumUnderWay < 1 || waitMillis < 1 || batch < 1 || retryMillis < 1) {
            throw new IllegalArgumentException("commit settings are at least 1");
        }
    }
}
