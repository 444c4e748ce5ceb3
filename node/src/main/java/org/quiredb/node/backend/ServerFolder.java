package org.quiredb.node.backend;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The folder of one server: its program and its data, whole or not there.
///
/// Invariant: whoever has claimed a folder is alone with it; a process that ends gives it up. What
/// is made in it is made beside its place and moved there when it is whole.
///
/// Threads: one.
final class ServerFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerFolder.class);
    private static final int END_SECONDS = 30;
    private static final String MAKING = "making";

    private final Path folder;
    private final FileChannel lock;

    private ServerFolder(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /// Claims the folder, and ends the server that a process before this one has left there.
    ///
    /// @throws IOException when another process uses it
    static ServerFolder claim(Path folder) throws IOException, InterruptedException {
        Path real = Files.createDirectories(folder).toRealPath();
        FileChannel lock =
                FileChannel.open(
                        real.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        ServerFolder claimed = new ServerFolder(real, lock);
        try {
            if (lock.tryLock() == null) {
                throw inUse();
            }
            claimed.endLeft();
            return claimed;
        } catch (OverlappingFileLockException e) {
            lock.close();
            throw inUse();
        } catch (IOException | InterruptedException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static IOException inUse() {
        return new IOException(
                "another process uses this folder; stop it or choose another folder");
    }

    /// A server whose process was killed goes on, or recovers, for nobody.
    private void endLeft() throws IOException, InterruptedException {
        List<ProcessHandle> left =
                ProcessHandle.allProcesses()
                        .filter(process ->
                                process.info()
                                        .command()
                                        .map(Path::of)
                                        .filter(this::isServer)
                                        .isPresent())
                        .toList();
        for (ProcessHandle server : left) {
            LOG.warn("ends a MariaDB that was left in {}, process {}", folder, server.pid());
            server.destroyForcibly();
            try {
                server.onExit().get(END_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException | ExecutionException e) {
                throw new IOException(
                        "a MariaDB that was left there does not end, process " + server.pid(), e);
            }
        }
    }

    /// Not one of a folder below this one, which has a claim of its own.
    private boolean isServer(Path command) {
        if (!command.startsWith(folder)) {
            return false;
        }
        String place = folder.relativize(command).getName(0).toString();
        return (place.equals("program") || place.startsWith(MAKING))
                && List.of("mariadbd", "mysqld").contains(command.getFileName().toString());
    }

    Path program() {
        return folder.resolve("program");
    }

    Path data() {
        return folder.resolve("data");
    }

    Path temporary() {
        return folder.resolve("tmp");
    }

    Path log() {
        return folder.resolve("server.log");
    }

    /// Makes what is missing.
    ///
    /// @throws IOException also when the data is half there
    void complete() throws IOException, InterruptedException {
        Files.createDirectories(temporary());
        try (Stream<Path> files = Files.list(folder)) {
            for (Path broken :
                    files.filter(f -> f.getFileName().toString().startsWith(MAKING)).toList()) {
                delete(broken);
            }
        }
        boolean fresh = isEmpty(data());
        if (!fresh && Files.exists(program())) {
            requireWhole();
            return;
        }
        Path making = Files.createTempDirectory(folder, MAKING);
        Path program = making.resolve("program");
        Installation.unpack(program);
        if (fresh) {
            Path made = Files.createDirectory(making.resolve("data"));
            Installation.createTables(program, made, Files.createDirectory(making.resolve("tmp")));
            delete(program());
            delete(data());
            Files.move(program, program(), StandardCopyOption.ATOMIC_MOVE);
            Files.move(made, data(), StandardCopyOption.ATOMIC_MOVE);
        } else {
            requireWhole();
            Files.move(program, program(), StandardCopyOption.ATOMIC_MOVE);
        }
        delete(making);
    }

    /// One that was made elsewhere, or broke off before installations were moved into place.
    private void requireWhole() throws IOException {
        if (!Files.exists(data().resolve("mysql").resolve("global_priv.frm"))) {
            throw new IOException(
                    data() + " has no system tables, its installation broke off; remove it");
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return true;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    /// Lets others claim it.
    @Override
    public void close() throws IOException {
        lock.close();
    }
}
