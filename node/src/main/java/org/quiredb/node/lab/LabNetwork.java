package org.quiredb.node.lab;

import java.io.IOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.cluster.JavaCommand;
import org.quiredb.node.cluster.Placement;
import org.quiredb.node.config.ClusterSection;

/// A network in which each process has an address and a cable of its own, which can be pulled out.
///
/// The experiment runs in a network namespace that is made for it, with a bridge as the switch;
/// clients and backends are at the bridge's address. Each process of the tier runs in a namespace
/// of its own that a pair of virtual interfaces joins to the bridge. A cut takes the bridge's end
/// out of the bridge: packets of both directions are dropped then, and nobody is told; no socket is
/// closed, no interface goes down. Everything ends with the processes; the machine's own network
/// has nothing of it.
///
/// Threads: one.
public final class LabNetwork implements Placement {
    private static final String BRIDGE = "quire-lab";
    private static final String ISLAND = "quire-island";
    private static final String SWITCH = "10.83.0.1";
    private static final int FIRST_HOST = 10;

    /// $1 the bridge, $2 its address; the rest is run.
    private static final String MAKE =
            """
            set -e
            ip link set lo up
            ip link add "$1" type bridge
            ip address add "$2/24" dev "$1"
            ip link set "$1" up
            shift 2
            exec "$@"
            """;

    /// $1 the bridge, $2 a process beside it, $3 the cable, $4 the address; the rest is run.
    private static final String JOIN =
            """
            set -e
            ip link set lo up
            ip link add uplink type veth peer name "$3" netns "$2"
            ip address add "$4/24" dev uplink
            ip link set uplink up
            nsenter -t "$2" -n ip link set "$3" master "$1" up
            shift 4
            exec "$@"
            """;

    /// $1 the script that joins, $2 the bridge. The shell stays, to be the process beside the
    /// bridge.
    private static final String TRY =
            """
            unshare -n sh -c "$1" sh "$2" $$ cable 10.83.0.2 true
            exit $?
            """;

    private final List<String> processes = new ArrayList<>();
    private final ClusterSection cluster = ClusterSection.random();

    /// Whether this process runs in such a network.
    public static boolean inside() {
        try {
            return NetworkInterface.getByName(BRIDGE) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    /// Why no such network can be made here; empty where it can.
    public static Optional<String> hindrance() {
        return failure(made(List.of("sh", "-c", TRY, "sh", JOIN, BRIDGE)))
                .map(reason ->
                        "cuts need a network of their own, and this machine does not let this user make one (%s); they need root, ip (of iproute2), unshare and nsenter (of util-linux)"
                                .formatted(reason));
    }

    /// Runs `quire` with these arguments in a network made for it; returns its exit code.
    public static int enter(List<String> arguments) throws IOException, InterruptedException {
        Process inside =
                new ProcessBuilder(made(JavaCommand.quire(List.of(), arguments)))
                        .inheritIO()
                        .start();
        Runtime.getRuntime().addShutdownHook(new Thread(inside::destroy));
        return inside.waitFor();
    }

    /// The command, in such a network.
    static List<String> made(List<String> command) {
        List<String> made = new ArrayList<>();
        made.addAll(List.of("unshare", "-n", "sh", "-c", MAKE, "sh", BRIDGE, SWITCH));
        made.addAll(command);
        return made;
    }

    /// Where the backends and the clients are.
    static EmbeddedBackend.Site site() {
        return new EmbeddedBackend.Site(SWITCH, "10.83.0.%");
    }

    @Override
    public String host(String process) {
        return "10.83.0." + (FIRST_HOST + numberOf(process));
    }

    @Override
    public ClusterSection cluster() {
        return cluster;
    }

    @Override
    public List<String> launcher(String process) {
        return List.of(
                "unshare",
                "-n",
                "sh",
                "-c",
                JOIN,
                "sh",
                BRIDGE,
                Long.toString(ProcessHandle.current().pid()),
                cable(process),
                host(process));
    }

    /// From now on nothing goes from or to the process.
    void cut(String process) {
        run(List.of("ip", "link", "set", cable(process), "nomaster"));
    }

    /// From now on they reach one another and nobody else.
    void island(List<String> together) {
        run(List.of("ip", "link", "add", ISLAND, "type", "bridge"));
        run(List.of("ip", "link", "set", ISLAND, "up"));
        for (String process : together) {
            run(List.of("ip", "link", "set", cable(process), "master", ISLAND));
        }
    }

    void heal(String process) {
        run(List.of("ip", "link", "set", cable(process), "master", BRIDGE));
    }

    private String cable(String process) {
        return "quire" + numberOf(process);
    }

    private int numberOf(String process) {
        if (!processes.contains(process)) {
            processes.add(process);
        }
        return processes.indexOf(process);
    }

    private static void run(List<String> command) {
        failure(command)
                .ifPresent(reason -> {
                    throw new IllegalStateException(String.join(" ", command) + ": " + reason);
                });
    }

    /// What a command that fails says in its last line; empty when it does not fail.
    private static Optional<String> failure(List<String> command) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            return code == 0
                    ? Optional.empty()
                    : Optional.of(said.lines().reduce("exit code " + code, (one, next) -> next));
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }
}
