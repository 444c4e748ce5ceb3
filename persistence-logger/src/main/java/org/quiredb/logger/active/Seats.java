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

/// The active logger's seat on each backend that answers: it stays active while it has one.
///
/// Who may write the log of several backends is decided by their own record, under row locks; seats
/// only keep two loggers from taking it from one another. Threads: one.
public final class Seats implements AutoCloseable {
    private static final int LOOKS_PER_RETURN = 10;
    private static final long LOOK_NANOS = 100_000_000;

    private final List<Backend> backends;
    private final Map<Backend, Seat> seats = new LinkedHashMap<>();
    private final Set<Backend> prepared = new HashSet<>();
    private String address = "";
    private int looks;

    public Seats(List<Backend> backends) {
        this.backends = backends;
    }

    /// Waits for the seat on the first backend that answers; the others' must be free then.
    ///
    /// @throws SQLException when none answers
    public boolean take(int waitSeconds) throws SQLException {
        SQLException away = null;
        for (Backend backend : backends) {
            try {
                if (!take(backend, seats.isEmpty() ? waitSeconds : 0)) {
                    LockSupport.parkNanos(seats.isEmpty() ? 0 : LOOK_NANOS);
                    close();
                    return false;
                }
            } catch (SQLException e) {
                away = e;
            }
        }
        if (seats.isEmpty() && away != null) {
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
        Seat seat = Seat.open(backend);
        boolean taken = false;
        try {
            taken = seat.take(waitSeconds);
        } finally {
            if (!taken) {
                seat.close();
            }
        }
        if (taken) {
            seats.put(backend, seat);
        }
        return taken;
    }

    /// Begins the next term.
    ///
    /// @return what keeps others out; nothing where the record of several backends does
    public Fence begin(String ownAddress) throws SQLException {
        address = ownAddress;
        @Nullable Fence fence = null;
        for (Seat seat : seats.values()) {
            fence = seat.begin(ownAddress);
        }
        return backends.size() > 1 || fence == null ? Fence.NONE : fence;
    }

    /// Whether one is held still. Those on backends that come back are taken again.
    public boolean held() {
        seats.values()
                .removeIf(seat -> {
                    boolean lost = !seat.held();
                    if (lost) {
                        seat.close();
                    }
                    return lost;
                });
        if (backends.size() > 1 && ++looks % LOOKS_PER_RETURN == 0) {
            backends.stream().filter(b -> !seats.containsKey(b)).toList().forEach(this::comeBack);
        }
        return !seats.isEmpty();
    }

    private void comeBack(Backend backend) {
        try {
            if (take(backend, 0)) {
                Fence _ = Optional.ofNullable(seats.get(backend)).orElseThrow().note(address);
            }
        } catch (SQLException e) {
            // It is away still.
        }
    }

    @Override
    public void close() {
        seats.values().forEach(Seat::close);
        seats.clear();
    }
}
