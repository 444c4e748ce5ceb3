package org.quiredb.node.console;

import com.sun.net.httpserver.Headers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Who may look.
///
/// A browser sends the name by which it was told to come. A foreign page that has its own name
/// point to this host (DNS rebinding) sends that name, and is turned away; an address is no name
/// that can be made to point elsewhere.
///
/// Pure. Threads: any.
final class Door {
    private static final Pattern ADDRESS =
            Pattern.compile("\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|\\[[0-9a-f:.]+]");

    private final List<String> names;
    private final byte @Nullable [] login;

    /// @param names of this host that are let in beside `localhost` and addresses
    /// @param user null where nobody logs in
    Door(List<String> names, @Nullable String user, @Nullable String password) {
        this.names = names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
        login =
                user == null
                        ? null
                        : digest(
                                "Basic "
                                        + Base64.getEncoder()
                                                .encodeToString(
                                                        (user + ":" + password)
                                                                .getBytes(StandardCharsets.UTF_8)));
    }

    /// Why a request is refused.
    ///
    /// @param status of HTTP
    record Refusal(int status, String why) {}

    /// Nothing for one that comes from a page of this console, or from no page at all.
    Optional<Refusal> foreign(Headers headers) {
        String host = headers.getFirst("Host");
        if (host == null || headers.getOrDefault("Host", List.of()).size() != 1 || !isOwn(host)) {
            return Optional.of(
                    new Refusal(
                            421,
                            "the console is not known by this name: ask for it by its address, or list the name in scheduler.console.names"));
        }
        String origin = headers.getFirst("Origin");
        if (origin != null
                && !origin.equalsIgnoreCase("http://" + host)
                && !origin.equalsIgnoreCase("https://" + host)) {
            return Optional.of(new Refusal(403, "a page from elsewhere may not read the console"));
        }
        return Optional.empty();
    }

    /// Whether a page from elsewhere asks, be it only for a picture; a link may lead here.
    boolean isEmbedded(Headers headers) {
        String site = headers.getFirst("Sec-Fetch-Site");
        boolean elsewhere = "cross-site".equals(site) || "same-site".equals(site);
        return elsewhere && !"navigate".equals(headers.getFirst("Sec-Fetch-Mode"));
    }

    private boolean isOwn(String host) {
        String name = host.toLowerCase(Locale.ROOT).replaceFirst(":\\d*$", "");
        return name.equals("localhost") || ADDRESS.matcher(name).matches() || names.contains(name);
    }

    boolean asksForLogin() {
        return login != null;
    }

    /// Whether it says user and password, where that is needed.
    boolean admits(Headers headers) {
        byte[] right = login;
        String said = headers.getFirst("Authorization");
        return right == null
                || MessageDigest.isEqual(right, digest(Objects.requireNonNullElse(said, "")));
    }

    /// The same length, whatever is said.
    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
