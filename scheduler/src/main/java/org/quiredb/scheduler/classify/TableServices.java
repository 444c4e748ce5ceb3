package org.quiredb.scheduler.classify;

import java.util.List;
import java.util.Set;
import org.quiredb.sql.text.Tokens;

/// Reads statements that look after tables and server, and change no row: ANALYZE, CHECK, CHECKSUM,
/// OPTIMIZE and REPAIR TABLE, switches of a table's keys, and FLUSH.
final class TableServices {
    private static final Set<String> NOT_TO_THE_LOG = Set.of("LOCAL", "NO_WRITE_TO_BINLOG");
    private static final Set<String> CHANGES = Set.of("UPDATE", "DELETE", "INSERT", "REPLACE");

    private TableServices() {}

    static Classification read(Tokens tokens) {
        String verb = tokens.upper(0);
        int at = NOT_TO_THE_LOG.contains(tokens.upper(1)) ? 2 : 1;
        if (tokens.is(at, "TABLE") || tokens.is(at, "TABLES")) {
            return new Classification.TableService(!verb.equals("CHECKSUM"));
        }
        boolean explains = verb.equals("ANALYZE") && !isChange(tokens);
        return explains
                ? new Classification.Information(true)
                : new Classification.Unsupported(verb + " " + tokens.upper(at));
    }

    /// MariaDB's ANALYZE runs the statement behind it.
    private static boolean isChange(Tokens tokens) {
        boolean formatted = tokens.is(1, "FORMAT") && tokens.is(2, '=');
        if (CHANGES.contains(tokens.upper(formatted ? 4 : 1))) {
            return true; // also before a parenthesis
        }
        for (int i = 1; i < tokens.size(); i++) {
            boolean named = tokens.is(i - 1, '.') || tokens.is(i + 1, '(');
            if (!named && CHANGES.contains(tokens.upper(i))) {
                return true;
            }
        }
        return false;
    }

    /// ALTER TABLE ... DISABLE KEYS and ENABLE KEYS, with which a dump surrounds its rows, change
    /// nothing of a table that the tier holds.
    static boolean switchesKeys(Tokens tokens) {
        int at = tokens.is(3, '.') ? 5 : 3;
        return tokens.is(1, "TABLE")
                && (tokens.is(at, "DISABLE") || tokens.is(at, "ENABLE"))
                && tokens.is(at + 1, "KEYS")
                && Classifier.endsAt(at + 2, tokens);
    }

    static Classification flush(Tokens tokens) {
        int at = NOT_TO_THE_LOG.contains(tokens.upper(1)) ? 2 : 1;
        if (!tokens.is(at, "TABLE") && !tokens.is(at, "TABLES")) {
            return new Classification.Flush(true);
        }
        if (tokens.are(at + 1, "WITH", "READ", "LOCK") && Classifier.endsAt(at + 4, tokens)) {
            return new Classification.LockTables(List.of(), List.of());
        }
        for (int i = at; i < tokens.size(); i++) {
            if (tokens.are(i, "FOR", "EXPORT") || tokens.are(i, "WITH", "READ")) {
                return new Classification.Unsupported("FLUSH TABLES that locks");
            }
        }
        return new Classification.Flush(false);
    }
}
