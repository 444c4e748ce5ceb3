package org.quiredb.logger;

import java.util.List;
import org.quiredb.logger.backend.BackendAddress;

/// What a persistence logger is told at start.
///
/// @param backends which hold the same data, and each the log
/// @param maximumBatch commits that an applier puts into one backend transaction
/// @param maximumBacklog stable commits that may wait for a backend before appends wait for it
/// @param backendWaitMillis how long work waits for a backend that is away or behind, before it
///   fails
/// @param keptCommits applied commits that stay in the log
/// @param absence what is done about a backend that is away while others are there
public record LoggerConfiguration(
        String name,
        List<BackendAddress> backends,
        int maximumBatch,
        int maximumBacklog,
        long backendWaitMillis,
        int keptCommits,
        Absence absence) {
    /// @param silenceMillis how long a current backend may be away before commits go on without it
    /// @param keptCommits commits that stay in the log for those that are away, applied elsewhere
    public record Absence(long silenceMillis, int keptCommits) {
        public static final Absence DEFAULT = new Absence(500, 200_000);

        public Absence {
            requirePositive("backendSilenceMillis", silenceMillis);
            requirePositive("absentCommits", keptCommits);
        }
    }

    public static final int DEFAULT_MAXIMUM_BATCH = 64;
    public static final int DEFAULT_MAXIMUM_BACKLOG = 20_000;
    public static final long DEFAULT_BACKEND_WAIT_MILLIS = 30_000;
    public static final int DEFAULT_KEPT_COMMITS = 10_000;

    public LoggerConfiguration {
        backends = List.copyOf(backends);
        if (backends.isEmpty() || backends.size() > 99) {
            throw new IllegalArgumentException(
                    "a logger needs 1 to 99 backends, not " + backends.size());
        }
        requirePositive("maximumBatch", maximumBatch);
        requirePositive("maximumBacklog", maximumBacklog);
        requirePositive("backendWaitMillis", backendWaitMillis);
        requirePositive("keptCommits", keptCommits);
        if (backends.stream().map(BackendAddress::name).distinct().count() < backends.size()) {
            throw new IllegalArgumentException("a backend is named twice in " + backends);
        }
    }

    /// How many applied commits of a class stay in the log.
    ///
    /// @param complete whether no backend is away, which would need them
    /// @param left whether nothing has come to the class for as long as this logger knows: then its
    ///   last one stays, which says where it ends
    int kept(boolean complete, boolean left) {
        return !complete ? Math.max(keptCommits, absence.keptCommits) : left ? 1 : keptCommits;
    }

    public LoggerConfiguration(
            String name,
            List<BackendAddress> backends,
            int maximumBatch,
            int maximumBacklog,
            long backendWaitMillis,
            int keptCommits) {
        this(
                name,
                backends,
                maximumBatch,
                maximumBacklog,
                backendWaitMillis,
                keptCommits,
                Absence.DEFAULT);
    }

    public static LoggerConfiguration of(String name, List<BackendAddress> backends) {
        return new LoggerConfiguration(
                name,
                backends,
                DEFAULT_MAXIMUM_BATCH,
                DEFAULT_MAXIMUM_BACKLOG,
                DEFAULT_BACKEND_WAIT_MILLIS,
                DEFAULT_KEPT_COMMITS);
    }

    private static void requirePositive(String key, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(key + " must be at least 1, not " + value);
        }
    }
}
