package org.quiredb.scheduler.characters;

import org.jspecify.annotations.Nullable;

/// What a session has set about its characters, by the names that servers use.
///
/// @param client of what it sends
/// @param results of what it gets; `NULL` and `binary` for what is not converted, which is UTF-8
///   here
/// @param collation of what it sends, when that is computed with
public record CharacterSets(String client, String results, String collation) {
    /// The assignment that makes them so.
    public String assignment() {
        return isOne()
                ? "SET NAMES %s COLLATE %s".formatted(client, collation)
                : assignment(client, results);
    }

    /// The assignment for a connection of the backend that speaks UTF-8: what is computed stays the
    /// same.
    public String assignmentOfUtf8() {
        return assignment("utf8mb4", "utf8mb4");
    }

    /// What the client sends.
    public CharacterSet ofClient() {
        return CharacterSet.of(client).orElseThrow();
    }

    /// What converts the results of a statement; null where they are UTF-8.
    ///
    /// @param binaryRows in the binary protocol
    public @Nullable ConvertedResults convertedResults(boolean binaryRows) {
        CharacterSet set = ofResults();
        return set == CharacterSet.UTF8
                ? null
                : new ConvertedResults(
                        set, isOne() ? set.number(collation) : set.number(""), binaryRows);
    }

    public CharacterSet ofResults() {
        return CharacterSet.of(results).orElse(CharacterSet.UTF8);
    }

    /// As SET NAMES makes them, whose collation results have, too.
    private boolean isOne() {
        return client.equals(results) && client.equals(connection());
    }

    private String assignment(String ofClient, String ofResults) {
        return "SET character_set_client = %s, character_set_results = %s, collation_connection = %s"
                .formatted(ofClient, ofResults, collation);
    }

    /// Of collation_connection.
    public String connection() {
        int end = collation.indexOf('_');
        return end < 0 ? collation : collation.substring(0, end);
    }

    /// Whether a text has other bytes in the session than in the tier.
    public boolean computesOtherwise() {
        return CharacterSet.of(connection()).orElse(CharacterSet.ASCII) != CharacterSet.UTF8;
    }
}
