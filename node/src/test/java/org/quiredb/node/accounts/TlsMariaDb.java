package org.quiredb.node.accounts;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.node.backend.FreshBackend;

/// A MariaDB that offers TLS, with a certificate that it makes itself; the embedded one does not.
final class TlsMariaDb implements AutoCloseable {
    /// Making its key alone takes seconds of CPU.
    private static final long LIMIT_NANOS = 180_000_000_000L;

    private static final int POLL_MILLIS = 20;

    private final Process server;
    private final int port;

    private TlsMariaDb(Process server, int port) {
        this.server = server;
        this.port = port;
    }

    static TlsMariaDb start(Path folder) throws IOException, InterruptedException {
        FreshBackend.prepare(folder);
        ServerKey key = ServerKey.in(folder);
        int port = FreePorts.next();
        Path log = folder.resolve("tls.log");
        Process process =
                new ProcessBuilder(
                                List.of(
                                        folder.resolve("program/bin/mariadbd").toString(),
                                        "--no-defaults",
                                        "--basedir=" + folder.resolve("program"),
                                        "--datadir=" + folder.resolve("data"),
                                        "--socket=",
                                        "--port=" + port,
                                        "--user=" + System.getProperty("user.name"),
                                        "--skip-name-resolve",
                                        "--bind-address=127.0.0.1",
                                        "--ssl-cert=" + key.certificate(),
                                        "--ssl-key=" + key.file(),
                                        "--character-set-server=utf8mb4",
                                        "--innodb-flush-log-at-trx-commit=2"))
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        TlsMariaDb started = new TlsMariaDb(process, port);
        long beganNanos = System.nanoTime();
        while (!started.answers()) {
            if (!process.isAlive() || System.nanoTime() - beganNanos > LIMIT_NANOS) {
                started.close();
                fail("no MariaDB with TLS: " + Files.readString(log));
            }
            Thread.sleep(POLL_MILLIS);
        }
        return started;
    }

    private boolean answers() {
        try {
            DriverManager.getConnection("jdbc:mysql://127.0.0.1:" + port + "/", "quire", "quire")
                    .close();
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        server.destroy();
        server.onExit().join();
    }
}
