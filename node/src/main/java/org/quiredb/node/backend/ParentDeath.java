package org.quiredb.node.backend;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/// Lets a process end when the thread that began it does, however that ends, where the system can
/// (Linux with util-linux); elsewhere the next start ends what was left.
final class ParentDeath {
    private static final List<String> LAUNCHER =
            Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                    .splitAsStream(String.valueOf(System.getenv("PATH")))
                    .filter(folder -> !folder.isEmpty())
                    .map(folder -> Path.of(folder, "setpriv"))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .map(program -> List.of(program.toString(), "--pdeathsig", "KILL", "--"))
                    .orElse(List.of());

    private ParentDeath() {}

    /// What stands before the command.
    static List<String> launcher() {
        return LAUNCHER;
    }
}
