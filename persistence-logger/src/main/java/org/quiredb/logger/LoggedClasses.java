package org.quiredb.logger;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.logger.active.Fence;
import org.quiredb.logger.apply.Applier;
import org.quiredb.logger.apply.ReplicaRows;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.Backends;
import org.quiredb.logger.backend.Hindrance;
import org.quiredb.logger.log.CommitLog;
import org.quiredb.logger.log.RecordWindow;

/// Every conflict class that the logger knows, by name.
///
/// Threads: any; classes are added under lock.
final class LoggedClasses implements AutoCloseable {
    private final LoggerConfiguration configuration;
    private final Backends backends;
    private final Fence fence;
    private final ReplicaRows replicas;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, LoggedClass> classes = new ConcurrentSkipListMap<>();

    LoggedClasses(
            LoggerConfiguration configuration,
            Backends backends,
            Fence fence,
            ReplicaRows replicas) {
        this.replicas = replicas;
        this.configuration = configuration;
        this.fence = fence;
        this.backends = backends;
    }

    /// Finds the classes of the log and returns their newest epoch.
    long load() throws SQLException {
        try (Connection connection = backends.connect()) {
            CommitLog log = new CommitLog(connection);
            for (ConflictClass known : log.classes()) {
                get(known);
            }
            return Math.max(log.highestEpoch(), log.topology().epoch());
        }
    }

    /// Null when it was not asked for before.
    @Nullable LoggedClass known(ConflictClass conflictClass) {
        return classes.get(conflictClass.name());
    }

    LoggedClass get(ConflictClass conflictClass) throws SQLException {
        LoggedClass known = known(conflictClass);
        return known != null ? known : add(conflictClass);
    }

    private LoggedClass add(ConflictClass conflictClass) throws SQLException {
        lock.lock();
        try {
            LoggedClass known = classes.get(conflictClass.name());
            if (known != null) {
                return known;
            }
            RecordWindow window = new RecordWindow();
            List<Applier> appliers = new ArrayList<>();
            for (Backend backend : backends.all()) {
                appliers.add(
                        new Applier(
                                backend,
                                backends,
                                conflictClass,
                                window,
                                configuration.maximumBatch(),
                                replicas));
            }
            appliers.forEach(Applier::start);
            LoggedClass added =
                    new LoggedClass(
                            conflictClass,
                            window,
                            new Retention(),
                            List.copyOf(appliers),
                            backends);
            classes.put(conflictClass.name(), added);
            return added;
        } finally {
            lock.unlock();
        }
    }

    List<LoggedClass> all() {
        return List.copyOf(classes.values());
    }

    /// A current backend that follows the log of every class.
    Backend following() {
        return backends.current().stream()
                .filter(backend -> hindrance(backend).filter(Hindrance::lasting).isEmpty())
                .findFirst()
                .orElse(backends.first());
    }

    /// What keeps a backend from following the log; one that lasts before others.
    Optional<Hindrance> hindrance(Backend backend) {
        List<Hindrance> all =
                all().stream()
                        .flatMap(logged -> logged.appliers().stream())
                        .filter(applier -> applier.backend().equals(backend))
                        .flatMap(applier -> applier.hindrance().stream())
                        .toList();
        return all.stream()
                .filter(Hindrance::lasting)
                .findFirst()
                .or(() -> all.stream().findFirst());
    }

    /// That a backend has rows otherwise than the tier.
    Optional<String> owed(Backend backend) {
        List<Applier> owing =
                all().stream()
                        .flatMap(logged -> logged.appliers().stream())
                        .filter(applier -> applier.backend().equals(backend))
                        .filter(applier -> applier.owed() > 0)
                        .toList();
        String reason =
                owing.stream()
                        .map(Applier::repairReason)
                        .filter(r -> !r.isEmpty())
                        .findFirst()
                        .map(r -> ": " + r)
                        .orElse("");
        return owing.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "%s differs from the tier in %d rows, which are to be put right%s"
                                .formatted(
                                        backend,
                                        owing.stream().mapToInt(Applier::owed).sum(),
                                        reason));
    }

    /// How far each class is applied on the first current backend.
    List<ClassPosition> applied() {
        return all().stream()
                .map(logged -> new ClassPosition(logged.conflictClass(), logged.first().applied()))
                .toList();
    }

    /// The end of each class's log, as it is on disk.
    Map<LoggedClass, Long> tails() throws SQLException {
        Map<LoggedClass, Long> tails =
                new TreeMap<>(
                        (a, b) -> a.conflictClass().name().compareTo(b.conflictClass().name()));
        try (Connection connection = backends.connect()) {
            CommitLog log = new CommitLog(connection);
            for (LoggedClass logged : all()) {
                tails.put(logged, log.lastCommitNumber(logged.conflictClass()));
            }
            fence.require(connection);
        }
        return tails;
    }

    @Override
    public void close() {
        all().forEach(LoggedClass::close);
    }
}
