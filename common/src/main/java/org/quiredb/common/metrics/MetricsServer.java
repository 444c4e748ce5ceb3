package org.quiredb.common.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/// The process's meters, and the HTTP endpoint `/metrics` that shows them.
///
/// Threads: any.
public final class MetricsServer implements AutoCloseable {
    private static final int NOT_FOUND = 404;

    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final HttpServer server;

    /// Binds and begins to serve.
    ///
    /// @param address port 0 takes a free one
    /// @throws IOException when the address cannot be bound
    public MetricsServer(InetSocketAddress address) throws IOException {
        server = HttpServer.create(address, 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    /// Exposes what the source tells at each scrape. It must not block for long.
    public void expose(Supplier<List<Sample>> source) {
        registry.getPrometheusRegistry().register(new SampleCollector(source));
    }

    public MeterRegistry registry() {
        return registry;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        registry.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestURI().getPath().equals("/metrics")) {
                exchange.sendResponseHeaders(NOT_FOUND, -1);
                return;
            }
            byte[] body = (registry.scrape() + Latency.scrape()).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders()
                    .set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
