package org.quiredb.tpcw.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A text file that stands beside a class.
public final class Resource {

    private Resource() {}

    public static String text(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(
                        "The program lacks its file " + name + ": build it again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The lines that are neither empty nor comments (beginning with #).
    public static List<String> lines(Class<?> beside, String name) {
        return text(beside, name)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    /// The rows of a file of comma-separated values without quotes, its head included.
    public static List<List<String>> rows(Class<?> beside, String name) {
        return lines(beside, name).stream().map(line -> List.of(line.split(",", -1))).toList();
    }
}
