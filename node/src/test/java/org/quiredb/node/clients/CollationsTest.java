package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.replica.layout.Collation;
import org.quiredb.replica.layout.ColumnType;

/// Texts compare in memory as on MariaDB, in the tailorings of `unicode_ci` that memory knows.
@ExtendWith(BothSides.class)
@Tag("slow")
final class CollationsTest {
    private static final String LETTERS =
            "aAbcdegGhHijklLmMnNoOsStTuUvVwWxyYzZßäÄöÖüÜåÅæøñáíýþðõőűłŁśżźćęąšžŠŽčřĉĝțșţşơưăâđéèÐ یکگچپ\u0301\u0308";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "estonian_", "esperanto_", "german2_", "hungarian_", "icelandic_", "latvian_",
                "persian_", "polish_", "roman_", "romanian_", "slovenian_", "spanish_", "swedish_",
                "vietnamese_"
            })
    void textsCompareAsOnMariaDb(String tailoring, BothSides.Ports ports) throws Exception {
        String name = "utf8mb4_" + (tailoring.isEmpty() ? "unicode_" : tailoring) + "ci";
        Collation collation = collation(name);
        assertThat(collation).isNotEqualTo(Collation.OTHER);
        try (Connection server = SameAnswersTest.connect(ports.mariaDb(), false);
                Statement statement = server.createStatement()) {
            requireOrder(statement, name, collation);
            requireSameSigns(statement, name, collation);
        }
    }

    private static Collation collation(String name) {
        return ColumnType.of(
                        new ColumnDefinition(
                                "c",
                                "varchar(20)",
                                true,
                                false,
                                "utf8mb4",
                                name,
                                null,
                                false,
                                null))
                .collation();
    }

    /// @param weight in hexadecimal digits, as spaces follow
    private record Weighed(String character, String weight) {}

    /// Of all characters of the basic plane, each beside the next one. Some weigh less than a
    /// space: they are less than nothing, which spaces follow.
    private static void requireOrder(Statement statement, String name, Collation collation)
            throws Exception {
        List<Weighed> characters = new ArrayList<>();
        try (ResultSet rows =
                statement.executeQuery(
                        "SELECT seq, HEX(WEIGHT_STRING(CONVERT(CHAR(seq USING utf32) USING utf8mb4) COLLATE %s)), HEX(WEIGHT_STRING(' ' COLLATE %s)) FROM seq_1_to_65535 WHERE seq NOT BETWEEN 55296 AND 57343"
                                .formatted(name, name))) {
            while (rows.next()) {
                String space = rows.getString(3);
                String weight = rows.getString(2).replaceAll("(" + space + ")+$", "");
                characters.add(new Weighed(Character.toString(rows.getInt(1)), weight + space));
            }
        }
        characters.sort(Comparator.comparing(Weighed::weight)); // and by number, as they come
        List<String> wrong = new ArrayList<>();
        for (int i = 1; i < characters.size(); i++) {
            Weighed before = characters.get(i - 1);
            Weighed next = characters.get(i);
            int expected = Integer.signum(before.weight.compareTo(next.weight));
            int actual = collation.compare(before.character, next.character);
            if (Integer.signum(actual) != expected) {
                wrong.add("%x".formatted(next.character.codePointAt(0)));
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static void requireSameSigns(Statement statement, String name, Collation collation)
            throws Exception {
        Random random = new Random(11);
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            List<List<String>> pairs = new ArrayList<>();
            for (int j = 0; j < 200; j++) {
                pairs.add(List.of(text(random), text(random)));
            }
            String signs =
                    pairs.stream()
                            .map(pair ->
                                    "STRCMP('%s' COLLATE %s, '%s')"
                                            .formatted(pair.get(0), name, pair.get(1)))
                            .collect(Collectors.joining(", ", "SELECT ", ""));
            try (ResultSet row = statement.executeQuery(signs)) {
                row.next();
                for (int j = 0; j < pairs.size(); j++) {
                    List<String> pair = pairs.get(j);
                    int actual = collation.compare(pair.get(0), pair.get(1));
                    if (Integer.signum(actual) != row.getInt(j + 1)) {
                        wrong.add(pair.toString());
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i >= 0; i--) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }
}
