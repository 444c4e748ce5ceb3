package org.quiredb.node.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A Chromium without a window, told what to do by its DevTools protocol.
///
/// Threads: one; what the browser says comes in on another.
final class Browser implements AutoCloseable {
    private static final Pattern LISTENS =
            Pattern.compile("DevTools listening on ws://([\\d.:]+)/");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();
    private final WebSocket page;
    private final AtomicInteger number = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();

    private Browser(Process process, String address) throws Exception {
        this.process = process;
        page =
                http.newWebSocketBuilder()
                        .buildAsync(URI.create(pageAt(address)), new Ear())
                        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        ask("Page.enable", Map.of());
        ask("Runtime.enable", Map.of());
        ask("Log.enable", Map.of());
    }

    /// @param profile an empty folder
    /// @throws IOException when there is no `chromium`: on Debian, apt-get install chromium
    static Browser start(Path profile) throws Exception {
        ProcessBuilder command =
                new ProcessBuilder(
                                "chromium",
                                "--headless=new",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-dev-shm-usage",
                                "--hide-scrollbars",
                                "--no-first-run",
                                "--remote-debugging-port=0",
                                "--user-data-dir=" + profile)
                        .redirectErrorStream(true);
        command.environment().put("TMPDIR", profile.toString());
        Process process;
        try {
            process = command.start();
        } catch (IOException e) {
            throw new IOException(
                    "there is no chromium here, which the console is looked at in; on Debian: apt-get install chromium",
                    e);
        }
        try {
            return new Browser(process, address(process));
        } catch (Exception | Error e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /// What it says afterwards is read, too, so that it does not wait for somebody to read it.
    private static String address(Process process) throws IOException {
        BufferedReader said =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        StringBuilder all = new StringBuilder();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            all.append(line).append('\n');
            Matcher listens = LISTENS.matcher(line);
            if (listens.find()) {
                Thread.ofVirtual().start(() -> said.lines().forEach(l -> {}));
                return listens.group(1);
            }
        }
        throw new IOException("chromium does not start: " + all);
    }

    private String pageAt(String address) throws Exception {
        HttpRequest list =
                HttpRequest.newBuilder(URI.create("http://" + address + "/json")).build();
        for (JsonNode target : JSON.readTree(http.send(list, BodyHandlers.ofString()).body())) {
            if (target.path("type").asText().equals("page")) {
                return target.path("webSocketDebuggerUrl").asText();
            }
        }
        throw new IOException("chromium has no page");
    }

    /// Looks as on a screen of this size.
    void screen(int width, int height, boolean dark) {
        ask(
                "Emulation.setDeviceMetricsOverride",
                Map.of(
                        "width",
                        width,
                        "height",
                        height,
                        "deviceScaleFactor",
                        1,
                        "mobile",
                        width < 600));
        ask(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of(
                                        "name",
                                        "prefers-color-scheme",
                                        "value",
                                        dark ? "dark" : "light"))));
    }

    void open(String url) {
        ask("Page.navigate", Map.of("url", url));
    }

    /// What an expression comes to in the page, a promise being waited for.
    JsonNode evaluate(String expression) {
        JsonNode answer =
                ask(
                        "Runtime.evaluate",
                        Map.of(
                                "expression",
                                expression,
                                "returnByValue",
                                true,
                                "awaitPromise",
                                true));
        if (answer.has("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + answer.get("exceptionDetails"));
        }
        return answer.path("result").path("value");
    }

    /// Returns when an expression is true in the page.
    void await(String expression, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!evaluate("Boolean(" + expression + ")").asBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError(
                        "not within %s: %s; the page reads:\n%s"
                                .formatted(
                                        limit,
                                        expression,
                                        evaluate("document.body.innerText").asText()));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    /// What fits on the screen.
    void photograph(Path file) {
        JsonNode taken = ask("Page.captureScreenshot", Map.of("format", "png"));
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, Base64.getDecoder().decode(taken.path("data").asText()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Errors of scripts, and what the page's policy forbade.
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    private JsonNode ask(String method, Map<String, Object> parameters) {
        int id = number.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        asked.put(id, answer);
        try {
            page.sendText(
                            JSON.writeValueAsString(
                                    Map.of("id", id, "method", method, "params", parameters)),
                            true)
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException("chromium does not answer " + method, e);
        }
    }

    /// Puts parts together; an answer goes to who asked.
    private final class Ear implements WebSocket.Listener {
        private final StringBuilder parts = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean end) {
            parts.append(data);
            if (end) {
                hear(parts.toString());
                parts.setLength(0);
            }
            socket.request(1);
            return CompletableFuture.completedStage(null);
        }

        private void hear(String text) {
            JsonNode message;
            try {
                message = JSON.readTree(text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            CompletableFuture<JsonNode> waiting = asked.remove(message.path("id").asInt());
            if (waiting != null) {
                waiting.complete(message.path("result"));
                return;
            }
            JsonNode parameters = message.path("params");
            switch (message.path("method").asText()) {
                case "Runtime.exceptionThrown" -> complaints.add(parameters.toString());
                case "Log.entryAdded" -> {
                    if (parameters.path("entry").path("level").asText().equals("error")) {
                        complaints.add(parameters.path("entry").toString());
                    }
                }
                default -> {}
            }
        }
    }

    @Override
    public void close() {
        page.abort();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        http.shutdownNow();
    }
}
