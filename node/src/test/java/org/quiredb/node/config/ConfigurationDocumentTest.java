package org.quiredb.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// docs/configuration.md and the records say the same.
final class ConfigurationDocumentTest {
    private static final Pattern ROW = Pattern.compile("\\| `([\\w.]+)` \\|[^|]*\\|([^|]*)\\|.*");

    @Test
    void listsEveryKeyWithItsDefaultAndNoOther() throws IOException {
        assertThat(documented()).isEqualTo(known());
    }

    private static Map<String, String> known() {
        return KnownKeys.of(ProcessConfig.class)
                .collect(
                        Collectors.toMap(
                                KnownKeys.Key::name,
                                key -> {
                                    Default value = key.component().getAnnotation(Default.class);
                                    return value == null ? "" : value.value();
                                },
                                (a, b) -> a,
                                TreeMap::new));
    }

    private static Map<String, String> documented() throws IOException {
        Map<String, String> rows = new TreeMap<>();
        try (Stream<String> lines = Files.lines(Path.of("../docs/configuration.md"))) {
            lines.map(ROW::matcher)
                    .filter(Matcher::matches)
                    .forEach(row -> rows.put(row.group(1), defaultOf(row.group(2).strip())));
        }
        return rows;
    }

    /// What is not in code style says in words what a missing key means.
    private static String defaultOf(String cell) {
        return cell.startsWith("`") ? cell.replace("`", "") : "";
    }
}
