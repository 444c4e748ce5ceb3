package org.quiredb.scheduler.classify;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Reads CREATE TEMPORARY TABLE and DROP TEMPORARY TABLE.
final class TemporaryNames {
    /// Others keep their rows elsewhere than in the backend's own memory and files.
    private static final Set<String> ENGINES =
            Set.of("INNODB", "MYISAM", "ARIA", "MEMORY", "HEAP", "DEFAULT");

    private static final Set<String> HOW_DROPPED = Set.of("RESTRICT", "CASCADE");

    private TemporaryNames() {}

    /// @param at the place of TABLE, or of what stands there instead
    static Classification create(Tokens tokens, int at) {
        if (!tokens.is(at, "TABLE")) {
            return new Classification.Unsupported("CREATE TEMPORARY " + tokens.upper(at));
        }
        int name = tokens.are(at + 1, "IF", "NOT", "EXISTS") ? at + 4 : at + 1;
        if (!tokens.isName(name)) {
            return new Classification.Mistake(tokens.text());
        }
        boolean reads = false;
        for (int i = end(tokens, name); i < tokens.size(); i++) {
            reads |= tokens.is(i, "SELECT") || tokens.are(i, "AS", "TABLE");
            if (tokens.is(i, "ENGINE")) {
                String engine = tokens.upper(tokens.is(i + 1, '=') ? i + 2 : i + 1);
                if (!engine.isEmpty() && !ENGINES.contains(engine)) {
                    return new Classification.Unsupported(
                            "a temporary table with ENGINE = " + engine);
                }
            }
        }
        return new Classification.Temporary(List.of(table(tokens, name)), false, reads);
    }

    static Classification drop(Tokens tokens) {
        if (!tokens.is(2, "TABLE") && !tokens.is(2, "TABLES")) {
            return new Classification.Unsupported("DROP TEMPORARY " + tokens.upper(2));
        }
        int at = tokens.are(3, "IF", "EXISTS") ? 5 : 3;
        List<TableName> tables = new ArrayList<>();
        while (tokens.isName(at)) {
            tables.add(table(tokens, at));
            at = end(tokens, at);
            if (!tokens.is(at, ',')) {
                break;
            }
            at++;
        }
        boolean ends =
                Classifier.endsAt(at, tokens)
                        || (HOW_DROPPED.contains(tokens.upper(at))
                                && Classifier.endsAt(at + 1, tokens));
        return tables.isEmpty() || !ends
                ? new Classification.Mistake(tokens.text())
                : new Classification.Temporary(tables, true, false);
    }

    private static TableName table(Tokens tokens, int at) {
        return isQualified(tokens, at)
                ? new TableName(tokens.name(at), tokens.name(at + 2))
                : new TableName("", tokens.name(at));
    }

    private static int end(Tokens tokens, int at) {
        return isQualified(tokens, at) ? at + 3 : at + 1;
    }

    private static boolean isQualified(Tokens tokens, int at) {
        return tokens.is(at + 1, '.') && tokens.isName(at + 2);
    }
}
