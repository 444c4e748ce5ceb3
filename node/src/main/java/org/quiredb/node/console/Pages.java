package org.quiredb.node.console;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.quiredb.scheduler.account.FailedLogins;

/// Answers browsers and `quire top`.
///
/// Threads: a virtual one for each request.
final class Pages implements AutoCloseable {
    private static final String JSON = "application/json";

    private record Resource(String name, String type) {}

    private static final Map<String, Resource> RESOURCES =
            Map.of(
                    "/", new Resource("console.html", "text/html; charset=utf-8"),
                    "/console.css", new Resource("console.css", "text/css; charset=utf-8"),
                    "/console.js", new Resource("console.js", "text/javascript; charset=utf-8"));

    private final HttpServer server;
    private final Door door;
    private final ConsoleJson telling;
    private final Viewers viewers;
    private final FailedLogins failed = new FailedLogins();

    /// Binds; answers from {@link #start} on.
    Pages(InetSocketAddress address, Door door, ConsoleJson telling, Viewers viewers) {
        this.door = door;
        this.telling = telling;
        this.viewers = viewers;
        try {
            server = HttpServer.create(address, 0);
        } catch (IOException e) {
            throw new UncheckedIOException("the console cannot be served at " + address, e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
    }

    void start() {
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            protect(exchange.getResponseHeaders());
            Headers headers = exchange.getRequestHeaders();
            Optional<Door.Refusal> refusal = door.foreign(headers);
            String method = exchange.getRequestMethod();
            if (refusal.isPresent()) {
                refuse(exchange, refusal.get());
            } else if (door.isEmbedded(headers)) {
                refuse(exchange, new Door.Refusal(403, "the console is no part of another page"));
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                refuse(exchange, new Door.Refusal(405, "the console is only looked at"));
            } else if (admitted(exchange)) {
                show(exchange);
            }
        }
    }

    /// Beside its policy: no page frames it, no type is guessed, no address of it is told on.
    private static void protect(Headers headers) {
        headers.set(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("X-Frame-Options", "DENY");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Cache-Control", "no-store");
    }

    /// Answers who is not. Who guesses waits the longer the more it guesses, as at the MySQL port.
    private boolean admitted(HttpExchange exchange) throws IOException {
        Headers headers = exchange.getRequestHeaders();
        if (!door.asksForLogin()) {
            return true;
        }
        String host = exchange.getRemoteAddress().getAddress().getHostAddress();
        if (!failed.begins("", host, System.currentTimeMillis())) {
            refuse(exchange, new Door.Refusal(429, "too many wrong logins; wait a minute"));
            return false;
        }
        try {
            if (door.admits(headers)) {
                return true;
            }
            if (headers.containsKey("Authorization")) {
                Thread.sleep(failed.failed("", host, System.currentTimeMillis()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            failed.over("", host);
        }
        exchange.getResponseHeaders()
                .set("WWW-Authenticate", "Basic realm=\"Quire console\", charset=\"UTF-8\"");
        refuse(exchange, new Door.Refusal(401, "a login is needed"));
        return false;
    }

    private void show(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        Resource resource = RESOURCES.get(path);
        if (resource != null) {
            answer(exchange, 200, resource.type(), read(resource.name()));
            return;
        }
        switch (path) {
            case "/state" ->
                    answer(
                            exchange,
                            200,
                            JSON,
                            telling.state(
                                    !"history=no".equals(exchange.getRequestURI().getQuery())));
            case "/events" -> events(exchange);
            default -> refuse(exchange, new Door.Refusal(404, "there is no such page"));
        }
    }

    private void events(HttpExchange exchange) throws IOException {
        if (exchange.getRequestMethod().equals("HEAD")) {
            answer(exchange, 200, "text/event-stream", new byte[0]);
            return;
        }
        if (!viewers.takeSeat()) {
            refuse(
                    exchange,
                    new Door.Refusal(
                            503, "%d look already: close a page".formatted(Viewers.MAXIMUM)));
            return;
        }
        boolean seated = false;
        try {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
            exchange.sendResponseHeaders(200, 0);
            seated = true;
        } finally {
            if (!seated) {
                viewers.leaveSeat();
            }
        }
        viewers.show(exchange);
    }

    private static byte[] read(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(Pages.class.getResourceAsStream(name))) {
            return in.readAllBytes();
        }
    }

    private static void refuse(HttpExchange exchange, Door.Refusal refusal) throws IOException {
        answer(
                exchange,
                refusal.status(),
                "text/plain; charset=utf-8",
                (refusal.why() + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static void answer(HttpExchange exchange, int status, String type, byte[] body)
            throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, head || body.length == 0 ? -1 : body.length);
        if (!head && body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        viewers.close();
        server.stop(0);
    }
}
