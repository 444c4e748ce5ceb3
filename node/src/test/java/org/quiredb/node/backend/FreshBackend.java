package org.quiredb.node.backend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.lifecycle.FreePorts;

/// MariaDB servers of tests. What a server's first start in a folder takes is done once in this
/// JVM, in a folder of its own; those of the tests begin as copies of that one.
public final class FreshBackend {
    private static @Nullable Path pattern;

    private FreshBackend() {}

    /// On a port that was free. Its log goes to the disk once a second: who kills the process loses
    /// nothing by that, and nobody here pulls the plug.
    public static EmbeddedBackend start(Path folder) {
        EmbeddedBackend backend =
                EmbeddedBackend.start(prepare(folder), FreePorts.next(), "quire", "quire");
        try (Connection direct = DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire");
                Statement statement = direct.createStatement()) {
            statement.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
            return backend;
        } catch (SQLException e) {
            backend.close();
            throw new IllegalStateException(e);
        }
    }

    /// Makes the folder one in which a server was started before and was stopped, if it is not.
    public static Path prepare(Path folder) {
        try {
            if (!Files.exists(folder.resolve("program"))) {
                BackendFolder.copy(pattern(), folder);
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static synchronized Path pattern() throws IOException {
        Path known = pattern;
        if (known == null) {
            Path folder = Files.createTempDirectory("quire-backend"); // where links can reach it
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
            EmbeddedBackend.start(folder, FreePorts.next(), "quire", "quire").close();
            pattern = folder;
            known = folder;
        }
        return known;
    }

    private static void delete(Path folder) {
        try {
            BackendFolder.delete(folder);
        } catch (IOException e) {
            // The platform clears its temporary folder, too.
        }
    }
}
