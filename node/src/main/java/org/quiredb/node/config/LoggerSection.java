package org.quiredb.node.config;

/// The persistence logger of this process, which works for the section `backend`.
///
/// @param port where masters and `quire verify` connect
/// @param maximumBatch commits that are applied in one backend transaction
/// @param maximumBacklog commits that may wait for the backend before new ones wait for it
/// @param backendWaitMillis how long work waits for a backend that is away or behind
/// @param keptCommits applied commits that stay in the log
/// @param backendSilenceMillis how long one of several backends may be away before commits go on
///   without it
/// @param absentCommits commits that stay in the log for a backend that is away
/// @param silenceMillis how long the active logger may be silent before this one takes over
public record LoggerSection(
        @Default("logger") String name,
        @Default("3310") int port,
        @Default("64") int maximumBatch,
        @Default("20000") int maximumBacklog,
        @Default("30000") long backendWaitMillis,
        @Default("10000") int keptCommits,
        @Default("500") long backendSilenceMillis,
        @Default("200000") int absentCommits,
        @Default("500") long silenceMillis) {
    public LoggerSection {
        SectionChecks.present("logger.name", name);
        SectionChecks.port("logger.port", port);
        SectionChecks.between("logger.maximumBatch", maximumBatch, 1, 100_000);
        SectionChecks.between("logger.maximumBacklog", maximumBacklog, 1, 10_000_000);
        SectionChecks.between("logger.backendWaitMillis", backendWaitMillis, 1, 86_400_000);
        SectionChecks.between("logger.keptCommits", keptCommits, 1, 100_000_000);
        SectionChecks.between("logger.backendSilenceMillis", backendSilenceMillis, 50, 86_400_000);
        SectionChecks.between("logger.absentCommits", absentCommits, 1, 100_000_000);
        SectionChecks.between("logger.silenceMillis", silenceMillis, 50, 86_400_000);
    }
}
