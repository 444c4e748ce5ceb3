package org.quiredb.sql;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import org.quiredb.sql.parse.Parser;
import org.quiredb.sql.tree.Reading;

/// Readings of statements, kept by their normalised text.
///
/// Threads: any.
public final class Statements {
    /// Longer texts are not worth the memory: they carry a row for each of their parameters and
    /// seldom come again.
    private static final int KEPT_LENGTH = 8 * 1024;

    private final LoadingCache<String, Reading> readings;

    public Statements(int maximumTexts) {
        readings = Caffeine.newBuilder().maximumSize(maximumTexts).build(Parser::read);
    }

    /// @param text normalised, of a query or a change of rows
    public Reading read(String text) {
        return text.length() > KEPT_LENGTH ? Parser.read(text) : readings.get(text);
    }
}
