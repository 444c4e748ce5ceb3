package org.quiredb.sql.command;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.TriggerDefinition;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// CREATE or DROP of a trigger.
///
/// @param table null where it drops one
/// @param from where its body begins
/// @param to after its body
public record TriggerStatement(
        Tokens tokens, TableName name, @Nullable TableName table, int from, int to) {
    private static final Set<String> TIMES = Set.of("BEFORE", "AFTER");
    private static final Set<String> EVENTS = Set.of("INSERT", "UPDATE", "DELETE");
    private static final Set<String> ORDERS = Set.of("FOLLOWS", "PRECEDES");

    /// Empty for any other statement, and for one that is not understood.
    public static Optional<TriggerStatement> of(Tokens tokens) {
        int at = 1;
        if (tokens.is(0, "CREATE")) {
            at = definer(tokens, tokens.are(1, "OR", "REPLACE") ? 3 : 1);
        }
        if (!tokens.is(at, "TRIGGER")) {
            return Optional.empty();
        }
        Cursor cursor = new Cursor(tokens, at + 1);
        if (cursor.take("IF")) {
            cursor.take("NOT");
            cursor.take("EXISTS");
        }
        TableName name = cursor.table();
        if (name == null) {
            return Optional.empty();
        }
        if (tokens.is(0, "DROP")) {
            return Optional.of(
                    new TriggerStatement(tokens, name, null, tokens.size(), tokens.size()));
        }
        return tokens.is(0, "CREATE") ? created(cursor, name) : Optional.empty();
    }

    private static Optional<TriggerStatement> created(Cursor cursor, TableName name) {
        boolean begins = cursor.takeOneOf(TIMES) && cursor.takeOneOf(EVENTS) && cursor.take("ON");
        TableName table = begins ? cursor.table() : null;
        boolean rows = cursor.take("FOR") && cursor.take("EACH") && cursor.take("ROW");
        if (table == null || !rows) {
            return Optional.empty();
        }
        if (cursor.takeOneOf(ORDERS)) {
            cursor.at++;
        }
        Tokens tokens = cursor.tokens;
        int end = tokens.size();
        while (end > cursor.at && tokens.is(end - 1, ';')) {
            end--;
        }
        return end <= cursor.at
                ? Optional.empty()
                : Optional.of(new TriggerStatement(tokens, name, table, cursor.at, end));
    }

    /// @return after `DEFINER = user@host`, CURRENT_USER and the like
    private static int definer(Tokens tokens, int from) {
        int at = from;
        while (tokens.is(from, "DEFINER") && at < tokens.size() && !tokens.is(at, "TRIGGER")) {
            boolean named = tokens.is(at, '=') || tokens.is(at, '@');
            at += named ? 2 : 1;
        }
        return at;
    }

    public boolean drops() {
        return table == null;
    }

    /// What it does when it fires.
    public RoutineBody body() {
        return RoutineBody.ofTrigger(
                isGuarded()
                        ? Tokens.of(
                                TriggerDefinition.unguarded(tokens.text(from, to)).orElseThrow())
                        : tokens.part(from, to));
    }

    /// Whether it has that condition, as the text that a backend itself shows, and nothing else of
    /// its variable.
    public boolean isGuarded() {
        String body = tokens.text(from, to);
        int more = TriggerDefinition.BEFORE.length();
        return body.startsWith(TriggerDefinition.BEFORE)
                && body.endsWith(TriggerDefinition.AFTER)
                && !Tokens.mentions(body.substring(more), TriggerDefinition.VARIABLE);
    }

    /// The statement with its body within the condition that {@link TriggerDefinition} tells of, or
    /// as it is, where it has that.
    public String guarded() {
        if (drops() || isGuarded()) {
            return tokens.text();
        }
        Edits edits = new Edits(tokens);
        edits.before(from, TriggerDefinition.BEFORE);
        edits.after(to - 1, TriggerDefinition.AFTER);
        return edits.made();
    }
}
