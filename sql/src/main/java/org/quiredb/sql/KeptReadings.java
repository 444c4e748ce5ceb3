package org.quiredb.sql;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.quiredb.sql.parse.Parser;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.Reading;

/// Readings of statements, kept by their normalised text.
///
/// Threads: any.
public final class KeptReadings {
    /// Longer texts are not worth the memory: they carry a row for each of their parameters and
    /// seldom come again.
    private static final int KEPT_LENGTH = 8 * 1024;

    private final Cache<String, Reading> readings;

    public KeptReadings(int maximumTexts) {
        readings = Caffeine.newBuilder().maximumSize(maximumTexts).build();
    }

    /// @param text normalised, of a query or a change of rows
    public Reading read(String text) {
        return text.length() > KEPT_LENGTH ? Parser.read(text) : readings.get(text, Parser::read);
    }

    /// @param tokens of a text that is normalised
    public Reading read(Tokens tokens) {
        return tokens.text().length() > KEPT_LENGTH
                ? Parser.read(tokens)
                : readings.get(tokens.text(), text -> Parser.read(tokens));
    }
}
