package org.quiredb.node.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.quiredb.node.console.FakeSource.replica;
import static org.quiredb.node.console.FakeSource.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.scheduler.statement.StatementKind;

/// The console over HTTP, in front of a tier that the test makes up.
@Timeout(60)
@Tag("slow")
final class ConsoleTest {
    private static final ClusterNode MASTER = replica("master", "master", "serving", 3, true, 100);
    private static final ClusterNode SLAVE = replica("slave-1", "slave", "serving", 3, true, 98);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final FakeSource source = new FakeSource(scheduler(), MASTER, SLAVE);
    private final HttpClient http = HttpClient.newHttpClient();
    private @Nullable Console console;

    @AfterEach
    void close() {
        http.shutdownNow();
        if (console != null) {
            console.close();
        }
    }

    @Test
    void thePageForbidsEverythingFromElsewhere() throws Exception {
        start(null, List.of());

        HttpResponse<String> page = get("/");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("<title>Quire").doesNotContain("http://", "https://");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(page.headers().map()).doesNotContainKey("access-control-allow-origin");
        assertThat(get("/console.js").body()).doesNotContain("innerHTML");
        assertThat(get("/console.css").statusCode()).isEqualTo(200);
        assertThat(get("/else").statusCode()).isEqualTo(404);
    }

    @Test
    void theStateComesEachSecondAndTellsWhatHappens() throws Exception {
        start(null, List.of());
        HttpResponse<Stream<String>> events =
                http.send(request("/events").build(), BodyHandlers.ofLines());
        assertThat(events.headers().firstValue("Content-Type").orElseThrow())
                .startsWith("text/event-stream");
        List<String> happened = new ArrayList<>();
        var states =
                events.body()
                        .filter(line -> line.startsWith("data: "))
                        .map(line -> read(line.substring("data: ".length())))
                        .iterator();
        assertThat(states.next().path("tier").path("state").asText()).isEqualTo("serving");
        source.become(
                scheduler(),
                replica("master", "master", "serving", 3, false, 100),
                replica("slave-1", "master", "serving", 4, true, 100));
        while (happened.stream().noneMatch(text -> text.contains("took over"))) {
            states.next().path("events").forEach(e -> happened.add(e.path("text").asText()));
        }

        assertThat(happened).anyMatch(text -> text.contains("master does not answer any more"));
    }

    @Test
    void aNameThatIsNotItsOwnIsRefusedAndSoIsAForeignPage() throws Exception {
        start(null, List.of("console.example"));

        assertThat(raw("Host: evil.example")).startsWith("HTTP/1.1 421");
        assertThat(raw("Host: 127.0.0.1.evil.example")).startsWith("HTTP/1.1 421");
        assertThat(raw("Host: localhost.evil.example:3380")).startsWith("HTTP/1.1 421");
        assertThat(raw("Host: localhost:3380")).startsWith("HTTP/1.1 200");
        assertThat(raw("Host: [::1]:3380")).startsWith("HTTP/1.1 200");
        assertThat(raw("Host: Console.Example")).startsWith("HTTP/1.1 200");
        assertThat(raw("Host: localhost", "Origin: http://evil.example"))
                .startsWith("HTTP/1.1 403");
        assertThat(raw("Host: localhost", "Origin: null")).startsWith("HTTP/1.1 403");
        assertThat(raw("Host: localhost", "Origin: http://localhost")).startsWith("HTTP/1.1 200");
        assertThat(raw("Host: localhost", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"))
                .startsWith("HTTP/1.1 403");
        assertThat(raw("Host: localhost", "Host: evil.example")).doesNotContain("HTTP/1.1 200");
    }

    @Test
    void nothingIsChangedHere() throws Exception {
        start(null, List.of());

        HttpResponse<String> posted =
                http.send(
                        request("/state").POST(HttpRequest.BodyPublishers.ofString("x")).build(),
                        BodyHandlers.ofString());

        assertThat(posted.statusCode()).isEqualTo(405);
    }

    @Test
    void whoHasNoLoginSeesNothing() throws Exception {
        start("watcher", List.of());
        for (String path : List.of("/", "/state", "/events", "/console.js")) {
            HttpResponse<String> refused = get(path);
            assertThat(refused.statusCode()).as(path).isEqualTo(401);
            assertThat(refused.headers().firstValue("WWW-Authenticate")).isPresent();
            assertThat(refused.body()).doesNotContain("slave-1");
        }

        assertThat(withLogin("watcher:wrong").statusCode()).isEqualTo(401);
        assertThat(withLogin("watcher:secret").statusCode()).isEqualTo(200);
    }

    @Test
    void beyondLoopbackItDoesNotStartWithoutALogin() {
        assertThatThrownBy(() ->
                        new Console(
                                new Console.Options(
                                        new InetSocketAddress("0.0.0.0", 0), List.of(), null, null),
                                "scheduler",
                                source))
                .isInstanceOf(QuireException.class)
                .hasMessageContaining("scheduler.console.user");
    }

    @Test
    void noConstantOfAStatementIsTold() throws Exception {
        start(null, List.of());
        source.statements()
                .add(
                        "SELECT a FROM t WHERE id = ? LIMIT 4711",
                        StatementKind.READ,
                        1_000_000,
                        "",
                        false);
        source.statements().add("SET @x = 'hunter2'", StatementKind.OTHER, 1_000_000, "", false);

        String state = get("/state").body();

        assertThat(state)
                .contains("SELECT a FROM t WHERE id = ? LIMIT ?")
                .doesNotContain("4711")
                .doesNotContain("hunter2");
    }

    @Test
    void onlySoManyLookAtATime() throws Exception {
        start(null, List.of());
        List<HttpResponse<InputStream>> seated = new ArrayList<>();
        for (int i = 0; i < Viewers.MAXIMUM; i++) {
            seated.add(http.send(request("/events").build(), BodyHandlers.ofInputStream()));
        }
        assertThat(seated).allMatch(answer -> answer.statusCode() == 200);

        assertThat(get("/events").statusCode()).isEqualTo(503);
        for (HttpResponse<InputStream> answer : seated) {
            answer.body().close();
        }
        while (get("/events", 200) != 200) {
            Thread.onSpinWait(); // a seat is left with the next state that does not arrive
        }
    }

    private void start(@Nullable String user, List<String> names) {
        console =
                new Console(
                        new Console.Options(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                                names,
                                user,
                                user == null ? null : "secret"),
                        "scheduler",
                        source);
    }

    private int port() {
        return Objects.requireNonNull(console).port();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port(), path)));
    }

    private HttpResponse<String> get(String path) throws Exception {
        return http.send(request(path).build(), BodyHandlers.ofString());
    }

    /// The status only, of an answer that may not end.
    private int get(String path, int expected) throws Exception {
        HttpResponse<InputStream> answer =
                http.send(request(path).build(), BodyHandlers.ofInputStream());
        answer.body().close();
        assertThat(answer.statusCode()).isIn(expected, 503);
        return answer.statusCode();
    }

    private HttpResponse<String> withLogin(String login) throws Exception {
        String said = Base64.getEncoder().encodeToString(login.getBytes(UTF_8));
        return http.send(
                request("/state").header("Authorization", "Basic " + said).build(),
                BodyHandlers.ofString());
    }

    /// Headers that no HTTP client lets one choose.
    private String raw(String... headers) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.getOutputStream()
                    .write(
                            ("GET /state HTTP/1.1\r\n"
                                            + String.join("\r\n", headers)
                                            + "\r\nConnection: close\r\n\r\n")
                                    .getBytes(UTF_8));
            return String.valueOf(
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))
                            .readLine());
        }
    }

    private static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
