package org.quiredb.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// docs/operations.md has every message of WARN and ERROR that the program logs, with what to do.
final class LogMessagesDocumentTest {
    private static final Path ROOT = Path.of(System.getProperty("quire.root", ".."));
    private static final Pattern CALL = Pattern.compile("\\b(?:LOG|logger)\\s*\\.(warn|error)\\(");
    private static final Pattern TEXT =
            Pattern.compile("\\G\\s*\\+?\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| (WARN|ERROR) \\| (.+?) \\| (.+?) \\|$");

    @Test
    void theDocumentHasEachMessageWithWhatToDoAndNoOther() throws IOException {
        Set<String> logged = new TreeSet<>();
        for (Path module : children(ROOT)) {
            Path sources = module.resolve("src/main/java");
            if (Files.isDirectory(sources)) {
                try (Stream<Path> files = Files.walk(sources)) {
                    files.filter(file -> file.toString().endsWith(".java"))
                            .forEach(file -> scan(file, logged));
                }
            }
        }
        Set<String> documented = new TreeSet<>();
        Matcher row = ROW.matcher(Files.readString(ROOT.resolve("docs/operations.md")));
        while (row.find()) {
            documented.add(row.group(1) + " " + row.group(2));
        }

        assertThat(logged).hasSizeGreaterThan(50);
        assertThat(documented).isEqualTo(logged);
    }

    private static List<Path> children(Path folder) throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.toList();
        }
    }

    private static void scan(Path file, Set<String> logged) {
        String source;
        try {
            source = Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Matcher call = CALL.matcher(source);
        while (call.find()) {
            StringBuilder message = new StringBuilder();
            Matcher text = TEXT.matcher(source).region(call.end(), source.length());
            while (text.find()) {
                message.append(text.group(1));
            }
            assertThat(message.toString()).as("a literal message, in " + file).isNotEmpty();
            String level = call.group(1).toUpperCase(Locale.ROOT);
            logged.add(level + " " + message.toString().replace("{}", "…").replace("\\\"", "\""));
        }
    }
}
