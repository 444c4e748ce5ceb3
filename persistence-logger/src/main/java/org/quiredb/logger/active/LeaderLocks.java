package org.quiredb.logger.active;

import java.sql.SQLException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.quiredb.logger.backend.Backend;

/// The active logger's lock on each backend that answers: it stays active while it has one.
///
/// Who may write the log of several backends is decided by their own record, under row locks; these
/// only keep two loggers from taking it from one another. Threads: one.
public final class LeaderLocks implements AutoCloseable {
    private static final int LOOKS_PER_RETURN = 10;
    private static final long LOOK_NANOS = 100_000_000;

    private final List<Backend> backends;
    private final Map<Backend, LeaderLock> locks = new LinkedHashMap<>();
    private final Set<Backend> prepared = new HashSet<>();
    private String address = "";
    private int looks;

    public LeaderLocks(List<Backend> backends) {
        this.backends = backends;
    }

    /// Waits for the lock on the first backend that answers; the others' must be free then.
    ///
    /// @throws SQLException when none answers
    public boolean take(int waitSeconds) throws SQLException {
        SQLException away = null;
        for (Backend backend : backends) {
            try {
                if (!take(backend, locks.isEmpty() ? waitSeconds : 0)) {
                    LockSupport.parkNanos(locks.isEmpty() ? 0 : LOOK_NANOS);
                    close();
                    return false;
                }
            } catch (SQLException e) {
                away = e;
            }
        }
        if (locks.isEmpty() && away != null) {
            throw away;
        }
        return true;
    }

    private boolean take(Backend backend, int waitSeconds) throws SQLException {
        if (prepared.add(backend)) {
            try {
                backend.prepare();
            } catch (SQLException e) {
                prepared.remove(backend);
                throw e;
            }
        }
        LeaderLock leader = LeaderLock.open(backend);
        boolean taken = false;
        try {
            taken = leader.take(waitSeconds);
        } finally {
            if (!taken) {
                leader.close();
            }
        }
        if (taken) {
            locks.put(backend, leader);
        }
        return taken;
    }

    /// Begins the next term.
    ///
    /// @return what keeps others out; nothing where the record of several backends does
    public Fence begin(String ownAddress) throws SQLException {
        address = ownAddress;
        @Nullable Fence fence = null;
        for (LeaderLock leader : locks.values()) {
            fence = leader.begin(ownAddress);
        }
        return backends.size() > 1 || fence == null ? Fence.NONE : fence;
    }

    /// Whether one is held still. Those on backends that come back are taken again.
    public boolean held() {
        locks.values()
                .removeIf(leader -> {
                    boolean lost = !leader.held();
                    if (lost) {
                        leader.close();
                    }
                    return lost;
                });
        if (backends.size() > 1 && ++looks % LOOKS_PER_RETURN == 0) {
            backends.stream().filter(b -> !locks.containsKey(b)).toList().forEach(this::comeBack);
        }
        return !locks.isEmpty();
    }

    private void comeBack(Backend backend) {
        try {
            if (take(backend, 0)) {
                Fence _ = Optional.ofNullable(locks.get(backend)).orElseThrow().note(address);
            }
        } catch (SQLException e) {
            // It is away still.
        }
    }

    @Override
    public void close() {
        locks.values().forEach(LeaderLock::close);
        locks.clear();
    }
}
