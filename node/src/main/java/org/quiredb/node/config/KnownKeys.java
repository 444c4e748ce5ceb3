package org.quiredb.node.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The keys of a section, and the first key of a file that is none of them.
///
/// Jackson binds a record when it has seen the whole section, and would tell of a missing key where
/// the key is there but misspelled.
final class KnownKeys {
    private KnownKeys() {}

    record Unknown(String key, int line, String nearest) {}

    /// Every key of a section and the sections in it, dotted.
    static Stream<Key> of(Class<?> section) {
        return of(section, "");
    }

    record Key(String name, RecordComponent component) {}

    private static Stream<Key> of(Class<?> section, String prefix) {
        return Stream.of(section.getRecordComponents())
                .flatMap(component ->
                        isSection(component.getType())
                                ? of(component.getType(), prefix + component.getName() + ".")
                                : Stream.of(new Key(prefix + component.getName(), component)));
    }

    /// @param parser at the start of the file; a file of another shape is left to its binding
    static Optional<Unknown> firstUnknown(JsonParser parser, Class<?> section) throws IOException {
        return parser.nextToken() == JsonToken.START_OBJECT
                ? inSection(parser, section, "")
                : Optional.empty();
    }

    private static Optional<Unknown> inSection(JsonParser parser, Class<?> section, String prefix)
            throws IOException {
        List<RecordComponent> keys = Arrays.asList(section.getRecordComponents());
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            int line = parser.currentTokenLocation().getLineNr();
            Optional<RecordComponent> known =
                    keys.stream().filter(key -> key.getName().equals(name)).findFirst();
            if (known.isEmpty()) {
                return Optional.of(new Unknown(prefix + name, line, prefix + nearest(name, keys)));
            }
            boolean nested = parser.nextToken() == JsonToken.START_OBJECT;
            if (nested && isSection(known.get().getType())) {
                Optional<Unknown> unknown =
                        inSection(parser, known.get().getType(), prefix + name + ".");
                if (unknown.isPresent()) {
                    return unknown;
                }
            } else {
                parser.skipChildren();
            }
        }
        return Optional.empty();
    }

    private static boolean isSection(Class<?> type) {
        return type.isRecord() && type != HostPort.class;
    }

    private static String nearest(String name, List<RecordComponent> keys) {
        return keys.stream()
                .map(RecordComponent::getName)
                .min(Comparator.comparingInt(key -> distance(name, key)))
                .orElseThrow();
    }

    /// Letters to insert, delete or replace to get from one word to the other.
    private static int distance(String from, String to) {
        int[] previous = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] current = new int[to.length() + 1];
            current[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[to.length()];
    }
}
