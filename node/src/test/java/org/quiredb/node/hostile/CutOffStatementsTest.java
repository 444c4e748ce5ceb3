package org.quiredb.node.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.classify.Classifier;
import org.quiredb.sql.text.NormalizedSql;

/// Whatever a client sends, its session knows soon what kind of statement it is: one that never did
/// would take a processor for ever, and others with it, who wait for the same entry of the cache.
final class CutOffStatementsTest {
    /// Of a thread of its own, as what goes round in circles does not hear an interruption.
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void everyStatementIsClassifiedWhereverItIsCutOff() throws Exception {
        Classifier classifier = new Classifier(1, true);
        Set<String> cut = new TreeSet<>();
        for (String text : texts()) {
            Matcher word = Statements.WORDS.matcher(text);
            while (word.find()) {
                cut.add(text.substring(0, word.end()));
            }
        }
        assertThat(cut)
                .contains("PREPARE", "EXECUTE s USING", "SELECT 1")
                .hasSizeGreaterThan(10_000);
        assertThat(cut.stream().flatMap(text -> defect(classifier, text)).toList()).isEmpty();
    }

    /// What a client would see as an error of the tier's own.
    private static Stream<String> defect(Classifier classifier, String text) {
        try {
            var _ = classifier.classify(NormalizedSql.of(text).text());
            return Stream.of();
        } catch (QuireException e) {
            return Stream.of(); // an answer, too
        } catch (RuntimeException e) {
            return Stream.of(text + ": " + e);
        }
    }

    /// A line each of all scripts that tests send.
    private static List<String> texts() throws Exception {
        Path scripts =
                Path.of(
                        Objects.requireNonNull(
                                        CutOffStatementsTest.class.getResource(
                                                "/org/quiredb/node/clients/statements.sql"))
                                .toURI());
        try (Stream<Path> files =
                Files.walk(Objects.requireNonNull(scripts.getParent()).getParent())) {
            return files.filter(file -> file.toString().endsWith(".sql"))
                    .flatMap(CutOffStatementsTest::lines)
                    .toList();
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
