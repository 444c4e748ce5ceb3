package org.quiredb.node.top;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// A scheduler's console.
///
/// Threads: one.
public final class ConsoleLink implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final URI console;
    private final HttpRequest request;

    /// @param console such as `http://127.0.0.1:3380/`
    /// @param user null where nobody logs in
    public ConsoleLink(URI console, @Nullable String user, String password) {
        this.console = console;
        HttpRequest.Builder asking =
                HttpRequest.newBuilder(console.resolve("/state?history=no")).timeout(PATIENCE);
        if (user != null) {
            String login = user + ":" + password;
            asking.header(
                    "Authorization",
                    "Basic "
                            + Base64.getEncoder()
                                    .encodeToString(login.getBytes(StandardCharsets.UTF_8)));
        }
        request = asking.build();
    }

    /// What it tells now.
    ///
    /// @throws QuireException when no console answers there, or not to this login
    public JsonNode state() {
        HttpResponse<String> answer;
        try {
            answer = client.send(request, BodyHandlers.ofString());
            if (answer.statusCode() == 200) {
                return JSON.readTree(answer.body());
            }
        } catch (IOException e) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "no console answers at %s: is there a section scheduler.console, and is it there? quire status prints its link"
                            .formatted(console),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(ErrorCode.TIER_UNAVAILABLE, "interrupted", e);
        }
        throw new QuireException(
                ErrorCode.TIER_UNAVAILABLE,
                answer.statusCode() == 401
                        ? "the console wants a login: --user, and the password in QUIRE_CONSOLE_PASSWORD"
                        : "the console refuses: " + answer.body().strip());
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
