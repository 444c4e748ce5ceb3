package org.quiredb.node.config;

import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.console.Console;

/// The console of this process's scheduler.
///
/// @param host where it listens, whatever the process's own host is
/// @param user who looks has to log in as, if it is said
/// @param names of this host that browsers may ask for
public record ConsoleSection(
        @Default("127.0.0.1") String host,
        @Default("3380") int port,
        @Nullable String user,
        @Nullable String password,
        @Default("[]") List<String> names) {
    public ConsoleSection {
        SectionChecks.present("scheduler.console.host", host);
        SectionChecks.port("scheduler.console.port", port);
        if ((user == null || user.isEmpty()) != (password == null || password.isEmpty())) {
            throw new IllegalArgumentException(
                    "scheduler.console.user and password come together or not at all");
        }
        names = List.copyOf(names);
    }

    /// On loopback, for whoever is there.
    public static ConsoleSection at(int port) {
        return new ConsoleSection("127.0.0.1", port, null, null, List.of());
    }

    public Console.Options options() {
        return new Console.Options(
                new InetSocketAddress(host, port),
                names,
                user == null || user.isEmpty() ? null : user,
                password);
    }

    /// Without the password, which must not reach a log.
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
