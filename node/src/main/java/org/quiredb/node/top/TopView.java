package org.quiredb.node.top;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.LockWait;

/// What is seen of the tier, and how it is sorted.
///
/// Pure. Threads: one.
public final class TopView {
    private static final Set<String> REPLICAS = Set.of("master", "slave", "spare");
    private static final int NARROWEST = 40;
    private static final String KEYS =
            "q quit  sort: n r l  statements: t f s b  up, down, enter: one node";
    private static final String KEYS_OF_ONE = "q quit   escape: all nodes";

    private final ZoneId zone;
    private String sortedBy = "n";
    private String statements = "t";
    private int chosen;
    private boolean one;

    /// @param zone of the times of day
    public TopView(ZoneId zone) {
        this.zone = zone;
    }

    /// A key was pressed.
    ///
    /// @return false to leave
    boolean press(String key) {
        switch (key) {
            case "q" -> {
                return false;
            }
            case "n", "r", "l" -> sortedBy = key;
            case "t", "f", "s", "b" -> statements = key;
            case "up" -> chosen = Math.max(0, chosen - 1);
            case "down" -> chosen++;
            case "enter" -> one = true;
            case "escape" -> one = false;
            default -> {}
        }
        return true;
    }

    /// As it is printed where there is no terminal.
    public List<String> plain(JsonNode state) {
        List<String> lines = new ArrayList<>(head(state));
        lines.addAll(nodes(state, false));
        lines.addAll(backends(state));
        lines.add("");
        lines.addAll(statements(state, 10));
        return cut(lines, 100, Integer.MAX_VALUE);
    }

    /// As it fills a terminal.
    public List<String> page(JsonNode state, int rows, int columns) {
        List<String> lines = new ArrayList<>(head(state));
        if (one) {
            lines.addAll(oneNode(state));
        } else {
            lines.addAll(nodes(state, true));
            lines.addAll(backends(state));
            int left = Math.max(0, rows - lines.size() - 2);
            int events = Math.min(5, left / 3);
            lines.add("");
            lines.addAll(statements(state, left - events - 3));
            lines.add("");
            lines.addAll(events(state, events));
        }
        List<String> page =
                new ArrayList<>(cut(lines, Math.max(NARROWEST, columns), Math.max(1, rows - 1)));
        while (page.size() < rows - 1) {
            page.add("");
        }
        page.addAll(cut(List.of(one ? KEYS_OF_ONE : KEYS), Math.max(NARROWEST, columns), 1));
        return page;
    }

    private List<String> head(JsonNode state) {
        JsonNode values = state.path("values");
        long epoch = 0;
        for (JsonNode node : state.path("tier").path("nodes")) {
            epoch = Math.max(epoch, node.path("epoch").asLong());
        }
        List<String> lines = new ArrayList<>();
        lines.add(
                "%s  tier %s, epoch %d, as %s sees it"
                        .formatted(
                                time(state.path("at").asLong()),
                                state.path("tier").path("state").asText(),
                                epoch,
                                state.path("scheduler").asText()));
        lines.add(
                "reads %s/s  commits %s/s  read ms 50%% %s 99%% %s  commit ms 50%% %s 99%% %s  backend %s/s  errors %s/s"
                        .formatted(
                                number(values.get("reads")),
                                number(values.get("commits")),
                                number(values.get("p50.read")),
                                number(values.get("p99.read")),
                                number(values.get("p50.commit")),
                                number(values.get("p99.commit")),
                                number(values.get("fallback")),
                                number(values.get("errors"))));
        for (JsonNode trouble : state.path("tier").path("troubles")) {
            lines.add("! " + trouble.asText());
        }
        for (JsonNode wait : state.path("tier").path("lockWaits")) {
            lines.add(waiting(wait).toString());
        }
        lines.add("");
        return lines;
    }

    private static LockWait waiting(JsonNode wait) {
        List<Integer> holders = new ArrayList<>();
        wait.path("holders").forEach(holder -> holders.add(holder.asInt()));
        return new LockWait(
                wait.path("table").asText(),
                wait.path("waiter").asInt(),
                holders,
                wait.path("millis").asLong());
    }

    private List<JsonNode> sorted(JsonNode state) {
        JsonNode values = state.path("values");
        List<JsonNode> nodes = new ArrayList<>();
        state.path("tier").path("nodes").forEach(nodes::add);
        Comparator<JsonNode> byName = Comparator.comparing(node -> node.path("name").asText());
        String series = sortedBy.equals("r") ? "reads." : "lag.";
        nodes.sort(
                sortedBy.equals("n")
                        ? Comparator.<JsonNode>comparingInt(TopView::rank).thenComparing(byName)
                        : Comparator.<JsonNode>comparingDouble(node ->
                                        -values.path(series + node.path("name").asText())
                                                .asDouble(-1))
                                .thenComparing(byName));
        return nodes;
    }

    private static int rank(JsonNode node) {
        return switch (node.path("role").asText()) {
            case "scheduler" -> 0;
            case "logger" -> 2;
            default -> 1;
        };
    }

    private List<String> nodes(JsonNode state, boolean choosing) {
        JsonNode values = state.path("values");
        List<JsonNode> nodes = sorted(state);
        chosen = Math.min(chosen, Math.max(0, nodes.size() - 1));
        String form = "%s%-16s %-10s %-12s %9s %7s %7s %6s %8s";
        List<String> lines = new ArrayList<>();
        lines.add(
                form.formatted(
                        choosing ? "  " : "",
                        "NODE",
                        "ROLE",
                        "STATE",
                        "READS/S",
                        "LAG",
                        "IN SYNC",
                        "WARM",
                        "WAITING"));
        for (int i = 0; i < nodes.size(); i++) {
            JsonNode node = nodes.get(i);
            String name = node.path("name").asText();
            boolean replica = REPLICAS.contains(node.path("role").asText());
            JsonNode figures = node.path("figures");
            double pages = figures.path("pages").asDouble();
            lines.add(
                    form.formatted(
                            choosing ? i == chosen ? "> " : "  " : "",
                            name,
                            node.path("role").asText(),
                            node.path("state").asText(),
                            number(values.get("reads." + name)),
                            number(values.get("lag." + name)),
                            replica ? inSync(state, name) : "-",
                            replica && pages > 0
                                    ? "%.0f%%"
                                            .formatted(
                                                    Math.floor(
                                                            100
                                                                    * figures.path("pages.resident")
                                                                            .asDouble()
                                                                    / pages))
                                    : "-",
                            number(figures.get("lock.waiting"))));
        }
        return lines;
    }

    private static String inSync(JsonNode state, String name) {
        for (JsonNode each : state.path("inSync")) {
            if (each.asText().equals(name)) {
                return "yes";
            }
        }
        return state.path("inSync").isEmpty() ? "-" : "no";
    }

    private static List<String> backends(JsonNode state) {
        List<String> lines = new ArrayList<>();
        for (JsonNode backend : state.path("backends")) {
            lines.add(
                    "backend %s is %s, %s commits applied, %s to apply"
                            .formatted(
                                    backend.path("name").asText(),
                                    backend.path("standing").asText(),
                                    number(backend.get("applied")),
                                    number(backend.get("backlog"))));
        }
        return lines;
    }

    private List<String> statements(JsonNode state, int most) {
        if (most <= 0) {
            return List.of();
        }
        String list =
                switch (statements) {
                    case "f" -> "frequent";
                    case "s" -> "slowest";
                    case "b" -> "backend";
                    default -> "heaviest";
                };
        boolean slow = list.equals("slowest");
        List<String> lines = new ArrayList<>();
        lines.add(
                slow
                        ? "%10s %9s  %s".formatted("MS", "AT", "SLOWEST OF 15 MINUTES")
                        : "%10s %9s  %s"
                                .formatted(
                                        "TIMES",
                                        "MEAN MS",
                                        switch (list) {
                                            case "frequent" -> "MOST FREQUENT";
                                            case "backend" -> "RUN BY THE BACKEND";
                                            default -> "MOST TIME";
                                        }));
        for (JsonNode statement : state.path("statements").path(list)) {
            if (lines.size() > most) {
                break;
            }
            String text = statement.path("text").asText();
            String reason = statement.path("backendReason").asText();
            lines.add(
                    slow
                            ? "%10s %9s  %s"
                                    .formatted(
                                            number(statement.get("millis")),
                                            time(statement.path("at").asLong()),
                                            text)
                            : "%10s %9s  %s"
                                    .formatted(
                                            number(statement.get("count")),
                                            number(statement.get("meanMillis")),
                                            list.equals("backend")
                                                    ? "[%s] %s".formatted(reason, text)
                                                    : text));
        }
        return lines;
    }

    private List<String> events(JsonNode state, int most) {
        List<String> lines = new ArrayList<>();
        JsonNode events = state.path("events");
        for (int i = Math.max(0, events.size() - most); i < events.size(); i++) {
            lines.add(
                    "%s  %s"
                            .formatted(
                                    time(events.get(i).path("at").asLong()),
                                    events.get(i).path("text").asText()));
        }
        return lines;
    }

    private List<String> oneNode(JsonNode state) {
        List<JsonNode> nodes = sorted(state);
        if (nodes.isEmpty()) {
            return List.of();
        }
        JsonNode node = nodes.get(Math.min(chosen, nodes.size() - 1));
        List<String> lines = new ArrayList<>();
        for (String name : List.of("name", "role", "state", "address", "processId", "epoch")) {
            lines.add("%-28s %s".formatted(name, node.path(name).asText("-")));
        }
        lines.add("%-28s %s".formatted("master of", node.path("masterOf")));
        lines.add("%-28s %s".formatted("version vector", node.path("vector")));
        node.path("figures")
                .properties()
                .forEach(figure ->
                        lines.add(
                                "%-28s %s".formatted(figure.getKey(), number(figure.getValue()))));
        return lines;
    }

    private String time(long at) {
        return DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT)
                .withZone(zone)
                .format(Instant.ofEpochMilli(at));
    }

    private static String number(@Nullable JsonNode value) {
        if (value == null || !value.isNumber()) {
            return "-";
        }
        double number = value.asDouble();
        return number != Math.rint(number) && Math.abs(number) < 100
                ? String.format(Locale.ROOT, number < 10 ? "%.2f" : "%.1f", number)
                : String.format(Locale.ROOT, "%,d", Math.round(number));
    }

    /// What a terminal would take for a command of its own is not passed on to it.
    private static List<String> cut(List<String> lines, int columns, int rows) {
        return lines.stream()
                .limit(rows)
                .map(line -> line.replaceAll("\\p{Cntrl}", " "))
                .map(line -> line.length() > columns ? line.substring(0, columns - 1) + "~" : line)
                .toList();
    }
}
