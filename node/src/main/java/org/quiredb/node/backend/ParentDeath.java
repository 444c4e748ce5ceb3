package org.quiredb.node.backend;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
                    .map(program -> List.of(program.toString(), "--pdeathsig", "KILL", "--"))
                    .filter(ParentDeath::works)
                    .findFirst()
                    .orElse(List.of());

    private ParentDeath() {}

    /// Older ones know no such option.
    private static boolean works(List<String> launcher) {
        try {
            List<String> nothing = new ArrayList<>(launcher);
            nothing.add("true");
            return new ProcessBuilder(nothing)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// What stands before the command.
    static List<String> launcher() {
        return LAUNCHER;
    }
}
