package org.quiredb.node.backend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.cluster.FreePorts;

/// MariaDB servers of tests. A server's first start in a folder unpacks the program and makes the
/// system tables: seconds, and 650 MB written. It is done once in this JVM, in a folder of its own;
/// those of the tests begin as copies of that one, with links to its program.
public final class FreshBackend {
    private static final int BLOCK_BYTES = 1 << 16;
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
                Path from = pattern();
                copy(from.resolve("program"), folder.resolve("program"), Files::createLink);
                copy(from.resolve("data"), folder.resolve("data"), FreshBackend::copyContent);
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

    @FunctionalInterface
    private interface FileCopy {
        void copy(Path target, Path source) throws IOException;
    }

    private static void copy(Path from, Path to, FileCopy each) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file));
                if (Files.isSymbolicLink(file)) {
                    Files.createSymbolicLink(target, Files.readSymbolicLink(file));
                } else if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    each.copy(target, file);
                }
            }
        }
    }

    /// Leaves out what is zero: the server's log is, nearly all of its 256 MB.
    private static void copyContent(Path target, Path source) throws IOException {
        try (FileChannel from = FileChannel.open(source);
                FileChannel to =
                        FileChannel.open(
                                target,
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.SPARSE,
                                StandardOpenOption.WRITE)) {
            ByteBuffer zeros = ByteBuffer.allocateDirect(BLOCK_BYTES);
            ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
            long size = from.size();
            for (long at = 0; at < size; ) {
                block.clear();
                int read = from.read(block, at);
                boolean last = at + read >= size;
                if (last || !block.flip().equals(zeros)) {
                    block.position(0).limit(read);
                    while (block.hasRemaining()) {
                        to.write(block, at + block.position());
                    }
                }
                at += read;
            }
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            // The platform clears its temporary folder, too.
        }
    }
}
