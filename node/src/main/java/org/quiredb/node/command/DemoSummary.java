package org.quiredb.node.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.terminal.Durations;
import org.quiredb.node.terminal.Logs;
import org.quiredb.node.verify.Verification;
import org.quiredb.tpcw.run.WorkloadResult;

/// What the demo says at its end: figures, then what to try next, to be copied.
final class DemoSummary {
    private DemoSummary() {}

    /// @param figures of {@link LocalCluster#figures}
    static String figures(
            WorkloadResult result,
            Map<String, Object> figures,
            Map<String, Long> reads,
            Verification verification,
            Logs logs) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.addAll(WorkloadReport.lines("Quire", result));
        lines.add(
                figure(
                        "reads",
                        new TreeMap<>(reads)
                                .entrySet().stream()
                                        .map(e -> "%s %,d".formatted(e.getKey(), e.getValue()))
                                        .collect(Collectors.joining(", "))));
        lines.add(
                figure(
                        "locks",
                        "%s, %s together; %s"
                                .formatted(
                                        count(number(figures, "lockWaits"), "wait"),
                                        Durations.fine(number(figures, "lockWaitMillis") / 1000.0),
                                        count(number(figures, "deadlocks"), "deadlock"))));
        lines.add(
                figure(
                        "write sets",
                        "%,d bytes for a commit; %,d statements left to the backend"
                                .formatted(
                                        number(figures, "writeSetBytesPerCommit"),
                                        number(figures, "fallbackStatements"))));
        lines.add(
                figure(
                        "compared",
                        "%s and %s hold %s in %d tables"
                                .formatted(
                                        count(verification.replicas(), "replica"),
                                        count(verification.backends(), "backend"),
                                        verification.identical()
                                                ? "the same %,d rows".formatted(verification.rows())
                                                : "DIFFERENT rows",
                                        verification.tables())));
        verification.differences().forEach(difference -> lines.add("  DIFFERENT " + difference));
        lines.add(
                figure(
                        "log",
                        logs.file()
                                + (logs.warnings() == 0
                                        ? ""
                                        : ", " + count(logs.warnings(), "warning") + " in it")));
        return String.join("\n", lines);
    }

    static String count(long number, String noun) {
        return "%,d %s%s".formatted(number, noun, number == 1 ? "" : "s");
    }

    private static long number(Map<String, Object> figures, String name) {
        return figures.get(name) instanceof Number number ? number.longValue() : 0;
    }

    static String figure(String name, String value) {
        return "  %-14s %s".formatted(name, value);
    }

    /// @param staysUp whether clients find the tier when they read this
    static String next(LocalCluster tier, DemoTier options, boolean staysUp) {
        int port = staysUp ? tier.port() : DemoTier.PORT;
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add(
                staysUp
                        ? "The tier stays up; Ctrl-C ends it. What to try next, in another terminal:"
                        : "What to try next; the tier has ended, ./quire demo starts one that stays up:");
        lines.add("");
        lines.add(
                command(
                        "connect",
                        "mariadb --skip-ssl -h 127.0.0.1 -P %d -uquire -pquire tpcw"
                                .formatted(port)));
        options.consoleLink()
                .ifPresent(link -> lines.add(command("watch it", link + " or ./quire top")));
        lines.add(command("see its nodes", "./quire status" + statusPort(tier, staysUp)));
        lines.add(
                command(
                        "kill the master",
                        staysUp && options.processes()
                                ? "kill -9 " + tier.processId(tier.leader())
                                : "./quire lab failover --kill master"));
        String alone = tier.backend().jdbcUrls().getFirst() + "alone";
        lines.add(command("MariaDB alone", "./quire tpcw populate --url " + alone));
        lines.add(command("", "./quire tpcw run --url " + alone + " \\"));
        lines.add(command("", "  --url jdbc:mysql://127.0.0.1:%d/tpcw".formatted(port)));
        return String.join("\n", lines);
    }

    private static String statusPort(LocalCluster tier, boolean staysUp) {
        return staysUp && tier.statusPort() != DemoTier.STATUS_PORT
                ? " --port " + tier.statusPort()
                : "";
    }

    private static String command(String what, String command) {
        return "  %-15s %s".formatted(what, command);
    }
}
