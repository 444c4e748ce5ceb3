package org.quiredb.node.console;

import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.Scheduler;

/// A scheduler's console, served.
///
/// Threads: any.
public final class Console implements AutoCloseable {
    private final ConsoleWatch watch;
    private final Viewers viewers = new Viewers();
    private final ConsoleJson telling;
    private final Pages pages;

    /// @param address port 0 takes a free one
    /// @param names by which browsers may ask for it, beside addresses and `localhost`
    /// @param user null where nobody needs to log in
    public record Options(
            InetSocketAddress address,
            List<String> names,
            @Nullable String user,
            @Nullable String password) {
        public Options {
            names = List.copyOf(names);
        }

        boolean loopback() {
            return address.getAddress() != null && address.getAddress().isLoopbackAddress();
        }

        /// Without the password.
        @Override
        public String toString() {
            return "console at " + address;
        }
    }

    Console(Options options, String scheduler, Source source) {
        if (!options.loopback() && options.user() == null) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "scheduler.console.host %s is beyond loopback: set scheduler.console.user and scheduler.console.password, or leave it on 127.0.0.1"
                            .formatted(options.address().getHostString()));
        }
        watch = new ConsoleWatch(source, InstantSource.system(), this::sampled);
        telling = new ConsoleJson(scheduler, watch, source);
        Door door = new Door(options.names(), options.user(), options.password());
        pages = new Pages(options.address(), door, telling, viewers);
        pages.start();
        watch.start();
    }

    private void sampled() {
        viewers.tell(() -> telling.state(false));
    }

    /// Shows a scheduler's tier until it is closed.
    ///
    /// @param statusAddress host:port of its status port
    /// @throws QuireException when it would be open to strangers
    /// @throws java.io.UncheckedIOException when the port is taken
    public static Console start(Options options, Scheduler scheduler, String statusAddress) {
        Console console =
                new Console(
                        options, scheduler.status().name(), Source.of(scheduler, statusAddress));
        scheduler.consoleAt(console.port(), options.loopback());
        return console;
    }

    public int port() {
        return pages.port();
    }

    @Override
    public void close() {
        watch.close();
        pages.close();
    }
}
