package org.quiredb.node.suites;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The main suite of MariaDB as it is installed.
///
/// @param root of the installation, below which are `bin` and `share`
record Suite(Path root) {
    private static final List<String> STOPPING =
            List.of("restart_mysqld", "shutdown_mysqld", "shutdown_server");

    private static final List<String> PROGRAMS = List.of("bin/mariadb-test", "bin/mysqltest");
    private static final Pattern ADMINISTRATION =
            Pattern.compile("\\bset\\s+(@@)?global\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern SOURCED =
            Pattern.compile("^\\s*(?:--\\s*)?source\\s+([^\\s;]+)", Pattern.MULTILINE);
    private static final List<String> FOLDERS =
            List.of("share/mysql/mysql-test", "share/mariadb/mariadb-test");

    /// Where `-Dquire.mysqltest.root` says, else where packages put it.
    static Suite installed() {
        return new Suite(Path.of(System.getProperty("quire.mysqltest.root", "/usr")));
    }

    boolean isThere() {
        return first(PROGRAMS).isPresent() && first(FOLDERS).isPresent();
    }

    Path program() {
        return first(PROGRAMS).orElseThrow();
    }

    /// In which tests are run, since they name files from there.
    Path folder() {
        return first(FOLDERS).orElseThrow();
    }

    /// The names of all tests, in order.
    List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder().resolve("main"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".test"))
                    .map(name -> name.substring(0, name.length() - ".test".length()))
                    .sorted()
                    .toList();
        }
    }

    Path file(String name, String ending) {
        return folder().resolve("main").resolve(name + ending);
    }

    /// Why a test is not run at all.
    Optional<String> needs(String name) throws IOException {
        for (String ending : List.of(".opt", "-master.opt", ".cnf", ".combinations")) {
            if (Files.exists(file(name, ending))) {
                return Optional.of("needs a server with options of its own");
            }
        }
        String text = text(file(name, ".test"), new HashSet<>());
        if (STOPPING.stream().anyMatch(text::contains)) {
            return Optional.of("restarts the server");
        }
        if (ADMINISTRATION.matcher(text).find()) {
            return Optional.of("sets the server itself");
        }
        return Optional.empty();
    }

    /// With that of the files which it has run, wherever it names them.
    ///
    /// @param seen gets them
    private String text(Path file, Set<Path> seen) throws IOException {
        if (!seen.add(file) || !Files.exists(file)) {
            return "";
        }
        String own = Files.readString(file, StandardCharsets.ISO_8859_1);
        StringBuilder text = new StringBuilder(own);
        for (MatchResult sourced : SOURCED.matcher(own).results().toList()) {
            String name = sourced.group(1);
            text.append('\n').append(text(folder().resolve(name).normalize(), seen));
            text.append('\n').append(text(file.resolveSibling(name).normalize(), seen));
        }
        return text.toString();
    }

    private Optional<Path> first(List<String> places) {
        return places.stream().map(root::resolve).filter(Files::exists).findFirst();
    }
}
