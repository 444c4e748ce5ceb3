package org.quiredb.node.coldstart;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.node.backend.BackendFolder;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.cluster.ProcessOptions;
import org.quiredb.node.config.BackendSection;
import org.quiredb.node.config.HostPort;

/// The hosts of a layout, none of which runs at first.
///
/// Threads: one.
final class ColdTier implements AutoCloseable {
    private final Parts parts = new Parts();
    private final Layout layout;
    private final LocalCluster cluster;
    private final Map<String, Database> databases = new LinkedHashMap<>();

    /// @param folder for the databases, pages, configurations and logs; empty
    /// @param pattern a database that has the ledger's tables and does not run
    ColdTier(Path folder, Path pattern, Layout layout, long memoryMegabytes) throws IOException {
        this.layout = layout;
        for (String name : layout.databases()) {
            Path own = folder.resolve(name);
            BackendFolder.copy(pattern, own);
            databases.put(name, parts.add(new Database(own, FreePorts.next())));
        }
        BackendSection backend;
        if (layout.embedded()) {
            Path own = folder.resolve(Layout.BACKEND);
            BackendFolder.copy(pattern, own);
            backend =
                    BackendSection.embedded(
                            new BackendSection.Embedded(own, FreePorts.next()),
                            Database.ACCOUNT,
                            Database.ACCOUNT);
        } else {
            backend =
                    BackendSection.at(
                            databases.values().stream().map(Database::url).toList(),
                            Database.ACCOUNT,
                            Database.ACCOUNT);
        }
        ClusterConfig config =
                new ClusterConfig(
                                0, 0, backend, Layout.SLAVES, 0, Database.ACCOUNT, Database.ACCOUNT)
                        .with(new ClusterConfig.Copies(layout.schedulers(), layout.loggers()));
        if (layout.pages()) {
            config = config.with(new ClusterConfig.Pages(folder, 1_000));
        }
        cluster =
                parts.add(
                        LocalCluster.processes(
                                config,
                                new ProcessOptions(
                                        folder.resolve("processes"),
                                        0,
                                        memoryMegabytes,
                                        1 + Layout.SLAVES)));
    }

    List<String> hosts() {
        return Stream.concat(databases.keySet().stream(), cluster.processes().stream()).toList();
    }

    /// Those that another one stands in for: replicas, and all of which there are two. A database
    /// is none of them here: whether the other one may go on without it depends on which of them
    /// was left.
    List<String> replaceable() {
        List<String> all = new ArrayList<>(cluster.processes());
        if (layout.embedded()) {
            all.remove(cluster.loggers().getFirst());
        }
        if (layout.loggers() == 1) {
            all.removeAll(cluster.loggers());
        }
        if (layout.schedulers() == 1) {
            all.removeAll(cluster.schedulers());
        }
        return all;
    }

    List<String> databases() {
        return List.copyOf(databases.keySet());
    }

    List<String> schedulers() {
        return cluster.schedulers();
    }

    HostPort endpoint(String scheduler) {
        return cluster.endpoints().get(cluster.schedulers().indexOf(scheduler));
    }

    /// Where clients connect, to any scheduler. The driver would write a page about each attempt
    /// while none is there.
    String url() {
        return "jdbc:mysql://%s/ledger?failOverReadOnly=false&logger=com.mysql.cj.log.NullLogger"
                .formatted(
                        cluster.endpoints().stream()
                                .map(HostPort::toString)
                                .collect(Collectors.joining(",")));
    }

    void begin(String host) {
        if (databases.containsKey(host)) {
            database(host).begin();
        } else {
            cluster.begin(host);
        }
    }

    /// Lets the addresses of a host that does not run answer nothing, until that is closed.
    SilentHost silence(String host) {
        List<HostPort> addresses =
                databases.containsKey(host)
                        ? List.of(new HostPort("127.0.0.1", database(host).port()))
                        : cluster.addresses(host);
        return new SilentHost(addresses);
    }

    boolean serves(String host) {
        return databases.containsKey(host) ? database(host).serves() : cluster.serves(host);
    }

    List<String> failures() {
        return Stream.concat(
                        databases.values().stream().flatMap(d -> d.failure().stream()),
                        cluster.failures().stream())
                .toList();
    }

    /// Ends a database for good.
    void lose(String database) {
        database(database).cutPower();
    }

    void cutPower() {
        cluster.cutPower();
        databases.values().forEach(Database::cutPower);
    }

    private Database database(String host) {
        return Objects.requireNonNull(databases.get(host), host);
    }

    @Override
    public void close() {
        cluster.cutPower();
        parts.close();
    }
}
