package org.quiredb.node.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.LockWait;
import org.quiredb.node.status.BackendStatus;
import org.quiredb.scheduler.session.Doing;
import org.quiredb.scheduler.statement.StatementBook;

/// What the console knows, as JSON.
///
/// Threads: any.
final class ConsoleJson {
    private static final int STATEMENTS = 20;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String scheduler;
    private final ConsoleWatch watch;
    private final Source source;

    ConsoleJson(String scheduler, ConsoleWatch watch, Source source) {
        this.scheduler = scheduler;
        this.watch = watch;
        this.source = source;
    }

    /// @param withHistory the last quarter of an hour too
    byte[] state(boolean withHistory) {
        ConsoleWatch.Sample sample = watch.sample();
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("scheduler", scheduler);
        state.put("at", sample.look().at());
        state.put("tier", sample.look().tier().asJson());
        state.put("inSync", sample.look().inSync());
        state.put("backends", sample.look().tier().backends().stream().map(this::of).toList());
        Map<String, Object> values = new LinkedHashMap<>();
        sample.values().forEach((name, value) -> values.put(name, rounded(value)));
        state.put("values", values);
        state.put("statements", statements());
        state.put("clients", clients(sample.look().tier().waits()));
        state.put("events", watch.happenings().all());
        if (withHistory) {
            state.put("history", history());
        }
        try {
            return JSON.writeValueAsString(state).getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("what the console tells is no JSON", e);
        }
    }

    private Map<String, Object> of(BackendStatus backend) {
        return Map.of(
                "name", backend.name(),
                "standing", backend.standing(),
                "applied", backend.applied(),
                "backlog", backend.backlog());
    }

    /// Of this scheduler's clients, what those do who wait or are waited for.
    private Map<String, Doing> clients(List<LockWait> waits) {
        Map<String, Doing> clients = new LinkedHashMap<>();
        waits.stream()
                .flatMap(wait -> Stream.concat(Stream.of(wait.waiter()), wait.holders().stream()))
                .distinct()
                .forEach(id ->
                        source.doing(id)
                                .ifPresent(doing -> clients.put(String.valueOf(id), doing)));
        return clients;
    }

    private Map<String, Object> statements() {
        StatementBook book = source.statements();
        Map<String, Object> statements = new LinkedHashMap<>();
        statements.put("heaviest", book.heaviest(STATEMENTS));
        statements.put("frequent", book.mostFrequent(STATEMENTS));
        statements.put("slowest", book.slowest(STATEMENTS));
        statements.put("backend", book.onBackend(STATEMENTS));
        return statements;
    }

    private Map<String, Object> history() {
        History.Told told = watch.history().told();
        Map<String, Object> series = new LinkedHashMap<>();
        told.series()
                .forEach((name, values) -> {
                    List<Object> list = new ArrayList<>(values.length);
                    for (float value : values) {
                        list.add(rounded(value));
                    }
                    series.put(name, list);
                });
        return Map.of("times", told.times(), "series", series);
    }

    /// Null for what is no number.
    private static @Nullable Object rounded(double value) {
        if (!Double.isFinite(value)) {
            return null;
        }
        return value >= 100 || value == Math.rint(value)
                ? (Object) Math.round(value)
                : (Object) (Math.round(value * 1_000) / 1_000.0);
    }
}
