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
record FanOut<T>(Map<SetMember, T> answers, Map<SetMember, SQLException> failures) {
    interface Call<T> {
        T on(SetMember member) throws SQLException;
    }

    private record Asked<T>(SetMember member, FutureTask<T> task) {}

    static <T> FanOut<T> ask(List<SetMember> members, Call<T> call) {
        List<Asked<T>> asked = new ArrayList<>();
        for (SetMember member : members) {
            FutureTask<T> task = new FutureTask<>(() -> call.on(member));
            asked.add(new Asked<>(member, task));
            if (asked.size() < members.size()) {
                Thread.ofVirtual().name("log-" + member.name()).start(task);
            } else {
                task.run(); // the last one in this thread
            }
        }
        FanOut<T> together = new FanOut<>(new LinkedHashMap<>(), new LinkedHashMap<>());
        asked.forEach(one -> together.take(one.member(), one.task()));
        return together;
    }

    private void take(SetMember member, FutureTask<T> task) {
        boolean interrupted = false;
        while (true) {
            try {
                answers.put(member, task.get());
                break;
            } catch (InterruptedException e) {
                interrupted = true; // each connection has its own limit of silence
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof SQLException reason)) {
                    throw new IllegalStateException(e.getCause());
                }
                failures.put(member, reason);
                break;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
