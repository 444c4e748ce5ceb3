package org.quiredb.node.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Supplier;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.metrics.MetricsServer;

/// The metrics endpoint of one process.
///
/// Threads: any.
public final class NodeMetrics implements AutoCloseable {
    private final MetricsServer server;
    private final JvmGcMetrics collections = new JvmGcMetrics();

    private NodeMetrics(MetricsServer server) {
        this.server = server;
    }

    /// Serves `/metrics` at once.
    ///
    /// @param address port 0 takes a free one
    /// @param roles each of the process's, asked at every scrape
    public static NodeMetrics start(InetSocketAddress address, List<Supplier<NodeStatus>> roles) {
        try {
            NodeMetrics metrics = new NodeMetrics(new MetricsServer(address));
            metrics.bind(List.copyOf(roles));
            return metrics;
        } catch (IOException e) {
            throw new UncheckedIOException("metrics cannot be served at " + address, e);
        }
    }

    private void bind(List<Supplier<NodeStatus>> roles) {
        MeterRegistry registry = server.registry();
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        collections.bindTo(registry);
        server.expose(() ->
                roles.stream().flatMap(role -> StatusSamples.of(role.get()).stream()).toList());
    }

    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        collections.close();
        server.close();
    }
}
