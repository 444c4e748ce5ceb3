package org.quiredb.benchmark.profile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import one.convert.Arguments;
import one.convert.JfrToFlame;

/// Profiles a tier of processes under one of the bookstore's mixes.
///
/// A program: `Profile --mix MIX [--seconds N] [--warm N] [--slaves N] [--folder FOLDER]`, run in
/// the project's folder.
final class Profile {
    private static final String QUIRE = "./quire";
    private static final String PORT = "3307";
    private static final String UP = "The tier stays up";
    private static final String DATABASE = "mariadbd";
    private static final long START_SECONDS = 300;
    private static final long LOOK_MILLIS = 200;

    private final String mix;
    private final int seconds;
    private final int warmSeconds;
    private final String slaves;
    private final Path folder;

    private Profile(Map<String, String> options) {
        mix = options.getOrDefault("--mix", "shopping");
        seconds = Integer.parseInt(options.getOrDefault("--seconds", "30"));
        warmSeconds = Integer.parseInt(options.getOrDefault("--warm", "60"));
        slaves = options.getOrDefault("--slaves", "2");
        folder = Path.of(options.getOrDefault("--folder", "quire-profile")).toAbsolutePath();
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Map<String, String> options = new LinkedHashMap<>();
        List<String> known = List.of("--mix", "--seconds", "--warm", "--slaves", "--folder");
        for (int i = 0; i < arguments.length; i += 2) {
            if (!known.contains(arguments[i]) || i + 1 == arguments.length) {
                System.err.println("bench profile: takes " + String.join(" X, ", known) + " X");
                System.exit(2);
            }
            options.put(arguments[i], arguments[i + 1]);
        }
        System.out.print(new Profile(options).run());
    }

    private String run() throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Process tier = startTier();
        try {
            awaitUp(tier);
            shop("warm-up", warmSeconds);
            Map<Long, String> processes = processes(tier);
            Map<Long, ProcessorTime> before = used(processes);
            for (Map.Entry<Long, String> process : recorded(processes).entrySet()) {
                command(
                        process.getKey(),
                        "JFR.start",
                        "name=profile",
                        "settings=none",
                        "+jdk.CPUTimeSample#enabled=true",
                        "+jdk.CPUTimeSample#throttle=2ms",
                        "filename=" + recording(process.getValue()));
            }
            JsonNode result = shop("profile", seconds);
            Map<Long, ProcessorTime> after = used(processes);
            for (long id : recorded(processes).keySet()) {
                command(id, "JFR.stop", "name=profile");
            }
            return report(result, processes, before, after);
        } finally {
            end(tier);
        }
    }

    private Process startTier() throws IOException {
        return new ProcessBuilder(
                        QUIRE,
                        "demo",
                        "--processes",
                        "--slaves",
                        slaves,
                        "--spares",
                        "0",
                        "--seconds",
                        "1",
                        "--mix",
                        mix,
                        "--data",
                        folder.resolve("data").toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("tier.log").toFile())
                .start();
    }

    private void awaitUp(Process tier) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!Files.readString(folder.resolve("tier.log")).contains(UP)) {
            if (!tier.isAlive() || System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "the tier did not start: see " + folder.resolve("tier.log"));
            }
            boolean _ = tier.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private JsonNode shop(String name, int forSeconds) throws IOException, InterruptedException {
        Path json = folder.resolve(name + ".json");
        Process shoppers =
                new ProcessBuilder(
                                QUIRE,
                                "tpcw",
                                "run",
                                "--mix",
                                mix,
                                "--seconds",
                                Integer.toString(forSeconds),
                                "--url",
                                "jdbc:mysql://127.0.0.1:" + PORT + "/tpcw",
                                "--json",
                                json.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve(name + ".log").toFile())
                        .start();
        if (shoppers.waitFor() != 0) {
            throw new IllegalStateException("see " + folder.resolve(name + ".log"));
        }
        return new ObjectMapper().readTree(json.toFile());
    }

    /// The tier's own, by name: its database, and each process of its own configuration.
    private Map<Long, String> processes(Process tier) {
        Map<Long, String> names = new LinkedHashMap<>();
        tier.descendants()
                .sorted(Comparator.comparingLong(ProcessHandle::pid))
                .forEach(
                        process -> name(process).ifPresent(name -> names.put(process.pid(), name)));
        return names;
    }

    private static Optional<String> name(ProcessHandle process) {
        ProcessHandle.Info info = process.info();
        if (info.command().orElse("").endsWith(DATABASE)) {
            return Optional.of("database");
        }
        String[] arguments = info.arguments().orElseGet(() -> new String[0]);
        String last = arguments.length == 0 ? "" : arguments[arguments.length - 1];
        return last.endsWith(".yaml")
                ? Optional.of(Path.of(last).getFileName().toString().replace(".yaml", ""))
                : Optional.empty();
    }

    private static Map<Long, String> recorded(Map<Long, String> processes) {
        Map<Long, String> recorded = new LinkedHashMap<>(processes);
        recorded.values().removeIf("database"::equals);
        return recorded;
    }

    private static Map<Long, ProcessorTime> used(Map<Long, String> processes) throws IOException {
        Map<Long, ProcessorTime> used = new LinkedHashMap<>();
        for (long id : processes.keySet()) {
            used.put(id, ProcessorTime.of(id));
        }
        return used;
    }

    private Path recording(String name) {
        return folder.resolve(name + ".jfr");
    }

    private void command(long processId, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
        command.add(Long.toString(processId));
        command.addAll(List.of(words));
        int code =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor();
        if (code != 0) {
            throw new IllegalStateException("jcmd failed: " + String.join(" ", command));
        }
    }

    private String report(
            JsonNode result,
            Map<Long, String> processes,
            Map<Long, ProcessorTime> before,
            Map<Long, ProcessorTime> after)
            throws IOException {
        List<ProfileReport.Role> roles = new ArrayList<>();
        for (Map.Entry<Long, String> process : processes.entrySet()) {
            long id = process.getKey();
            String name = process.getValue();
            Samples samples = new Samples(Map.of(), Map.of());
            if (Files.exists(recording(name))) {
                samples = Samples.read(recording(name));
                JfrToFlame.convert(
                        recording(name).toString(),
                        folder.resolve(name + ".html").toString(),
                        new Arguments(
                                "--cpu-time", "--norm", "--dot", "--title", name + ", " + mix));
            }
            ProcessorTime used =
                    after.getOrDefault(id, ProcessorTime.NONE)
                            .since(before.getOrDefault(id, ProcessorTime.NONE));
            roles.add(new ProfileReport.Role(name, used, samples));
        }
        double measured = result.findValue("seconds").asDouble();
        long interactions = Math.round(result.findValue("wips").asDouble() * measured);
        return ProfileReport.of(mix, measured, interactions, roles)
                + "flame graphs: "
                + folder
                + "/*.html"
                + System.lineSeparator();
    }

    private static void end(Process tier) throws InterruptedException {
        tier.destroy();
        if (!tier.waitFor(60, TimeUnit.SECONDS)) {
            tier.descendants().forEach(ProcessHandle::destroyForcibly);
            tier.destroyForcibly();
        }
    }
}
