package org.quiredb.logger.set;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// The same asked of several backends at once, and what each said.
///
/// Threads: one; each backend is asked in a thread of its own.
record Together<T>(Map<Seat, T> answers, Map<Seat, SQLException> failures) {
    interface Call<T> {
        T on(Seat seat) throws SQLException;
    }

    private record Asked<T>(Seat seat, FutureTask<T> task) {}

    static <T> Together<T> ask(List<Seat> seats, Call<T> call) {
        List<Asked<T>> asked = new ArrayList<>();
        for (Seat seat : seats) {
            FutureTask<T> task = new FutureTask<>(() -> call.on(seat));
            asked.add(new Asked<>(seat, task));
            if (asked.size() < seats.size()) {
                Thread.ofVirtual().name("log-" + seat.name()).start(task);
            } else {
                task.run(); // the last one in this thread
            }
        }
        Together<T> together = new Together<>(new LinkedHashMap<>(), new LinkedHashMap<>());
        asked.forEach(one -> together.take(one.seat(), one.task()));
        return together;
    }

    private void take(Seat seat, FutureTask<T> task) {
        boolean interrupted = false;
        while (true) {
            try {
                answers.put(seat, task.get());
                break;
            } catch (InterruptedException e) {
                interrupted = true; // each connection has its own limit of silence
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof SQLException reason)) {
                    throw new IllegalStateException(e.getCause());
                }
                failures.put(seat, reason);
                break;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
