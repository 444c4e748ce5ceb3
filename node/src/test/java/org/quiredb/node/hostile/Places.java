package org.quiredb.node.hostile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Where statements try to write, and a file that they try to read.
///
/// Threads: any.
final class Places {
    /// In the name of every file that a statement asks for.
    static final String MARK = "quire-escaped";

    /// In the file that nothing may read.
    static final String SECRET = "6b1f-unseen-by-any-client-93e2";

    private static final int DEEP = 8;

    private final Path folder;
    private final Path secret;
    private final Path data;
    private final Set<Path> before;

    /// @param folder outside all data folders
    /// @param data of the tier and its backend
    Places(Path folder, Path data) throws IOException {
        this.folder = folder;
        this.data = data;
        secret = Files.writeString(folder.resolve("secret.csv"), "A\n" + SECRET + "\n");
        before = files();
    }

    Path secret() {
        return secret;
    }

    /// A text with its places filled in; which name and folder, the text itself decides.
    String in(String text) {
        if (text.indexOf('{') < 0) {
            return text;
        }
        Random random = new Random(text.hashCode());
        String name = MARK + random.nextInt(1000);
        String escape =
                switch (random.nextInt(4)) {
                    case 0 -> name;
                    case 1 -> "~/" + name;
                    case 2 -> "./" + name;
                    default -> folder.resolve(name).toString();
                };
        return text.replace("{secret}", secret.toString())
                .replace("{escape}", escape)
                .replace("{folder}", folder.resolve(MARK).toString());
    }

    /// What a statement has written, here or where the backend keeps its files.
    Set<Path> escaped() throws IOException {
        Set<Path> files = files();
        files.removeAll(before);
        return files;
    }

    private Set<Path> files() throws IOException {
        Set<Path> found = new TreeSet<>();
        Path here = Path.of("").toAbsolutePath();
        found.addAll(in(here, 1, ""));
        found.addAll(in(folder, DEEP, ""));
        found.addAll(in(data, DEEP, MARK));
        found.addAll(in(Path.of(System.getProperty("user.home")), 1, MARK));
        found.addAll(in(Path.of(System.getProperty("user.home")), 1, ".h2"));
        found.addAll(in(Path.of(System.getProperty("java.io.tmpdir")), 1, MARK));
        return found;
    }

    private static List<Path> in(Path place, int depth, String part) {
        List<Path> found = new ArrayList<>();
        List<Path> inside = new ArrayList<>();
        try (Stream<Path> files = Files.list(place)) {
            files.forEach(file -> {
                if (file.getFileName().toString().contains(part)) {
                    found.add(file);
                }
                if (Files.isDirectory(file) && !Files.isSymbolicLink(file)) {
                    inside.add(file);
                }
            });
        } catch (IOException | UncheckedIOException e) {
            return found; // it went meanwhile
        }
        if (depth > 1) {
            inside.forEach(one -> found.addAll(in(one, depth - 1, part)));
        }
        return found;
    }
}
