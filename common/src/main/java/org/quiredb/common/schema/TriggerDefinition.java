package org.quiredb.common.schema;

import java.util.Optional;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// A trigger of a table, as far as whoever changes the table's rows needs to know it.
///
/// Rows that Quire itself stores on a backend must not fire triggers there: what these do is among
/// the rows already. No server has a switch for that, so that a trigger that is made through the
/// tier has its body within a condition, which holds for everybody but Quire.
///
/// @param guarded whether its body is so; one that was made past the tier is not
/// @param sqlMode with which its body is read
/// @param body without the condition
public record TriggerDefinition(
        String name, Event event, boolean guarded, String sqlMode, String body) {
    /// The user variable that is not NULL in sessions that store rows as they are, in lower case.
    public static final String VARIABLE = "quire_applies";

    /// What stands before the body, and what stands after it.
    public static final String BEFORE = "IF @" + VARIABLE + " IS NULL THEN ";

    public static final String AFTER = "\n; END IF";

    /// What fires it.
    public enum Event {
        INSERT,
        UPDATE,
        DELETE
    }

    /// @param statement that the backend has as its body
    public static TriggerDefinition of(String name, Event event, String sqlMode, String statement) {
        Optional<String> body = unguarded(statement);
        return new TriggerDefinition(
                name, event, body.isPresent(), sqlMode, body.orElse(statement));
    }

    /// A text that ends with a body without the condition around that; empty where there is none.
    public static Optional<String> unguarded(String text) {
        int begins = text.indexOf(BEFORE);
        int ends = text.lastIndexOf(AFTER);
        return begins < 0 || ends < begins + BEFORE.length()
                ? Optional.empty()
                : Optional.of(
                        text.substring(0, begins) + text.substring(begins + BEFORE.length(), ends));
    }

    void encode(ByteWriter writer) {
        writer.string(name).varint(event.ordinal());
        writer.bool(guarded).string(sqlMode).string(body);
    }

    static TriggerDefinition decode(ByteReader reader) {
        return new TriggerDefinition(
                reader.string(),
                Event.values()[reader.count(Event.values().length - 1)],
                reader.bool(),
                reader.string(),
                reader.string());
    }
}
