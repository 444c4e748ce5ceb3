package org.quiredb.scheduler.classify;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.quiredb.scheduler.classify.Classification.Access;
import org.quiredb.scheduler.classify.Classification.Savepoint.Action;
import org.quiredb.sql.Statements;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.Query;
import org.quiredb.sql.tree.Reading;
import org.quiredb.sql.tree.Support;
import org.quiredb.sql.tree.TableName;

/// Classifies statements and remembers what it found by their text.
///
/// Threads: any.
public final class Classifier {
    private static final Set<String> BEFORE_THE_TABLE =
            Set.of(
                    "UPDATE",
                    "INSERT",
                    "REPLACE",
                    "DELETE",
                    "INTO",
                    "FROM",
                    "IGNORE",
                    "LOW_PRIORITY",
                    "HIGH_PRIORITY",
                    "DELAYED",
                    "QUICK");

    private static final Pattern FILE_WORDS =
            Pattern.compile("OUTFILE|DUMPFILE|LOAD_FILE|DIRECTORY", Pattern.CASE_INSENSITIVE);

    private static final int FIRST_TOKENS = 8;

    /// Longer texts are not worth the memory: they carry their data in literals and never come
    /// again.
    private static final int CACHED_LENGTH = 8 * 1024;

    private final Statements statements;
    private final Cache<String, Classification> cache;

    public Classifier(int maximumTexts) {
        statements = new Statements(maximumTexts);
        cache = Caffeine.newBuilder().maximumSize(maximumTexts).build();
    }

    public Classification classify(String sql) {
        return sql.length() > CACHED_LENGTH ? analyse(sql) : cache.get(sql, this::analyse);
    }

    private Classification analyse(String sql) {
        List<Token> first = Tokens.first(sql, FIRST_TOKENS);
        if (first.isEmpty()) {
            return new Classification.Empty();
        }
        if (namesFiles(sql)) {
            return new Classification.Unsupported("files on the server's host");
        }
        return switch (first.getFirst().upper()) {
            case "SELECT", "(", "WITH", "TABLE", "VALUES" -> query(sql);
            case "INSERT", "UPDATE", "DELETE", "REPLACE" -> update(sql);
            case "BEGIN" -> new Classification.Begin(Access.DEFAULT, false);
            case "START" -> start(sql, first);
            case "COMMIT" -> ended(first, new Classification.Commit());
            case "ROLLBACK" -> ended(first, new Classification.Rollback());
            case "SAVEPOINT" -> savepoint(Action.SET, first, 1);
            case "RELEASE" -> savepoint(Action.RELEASE, first, 2);
            case "SET" -> new Classification.Assignment();
            case "USE" -> use(first);
            case "CREATE", "ALTER", "DROP", "RENAME", "TRUNCATE" -> schemaChange(sql, first);
            case "SHOW", "DESCRIBE", "DESC", "EXPLAIN", "HELP" ->
                    new Classification.Information(true);
            case "LOCK", "UNLOCK" -> locks(first);
            case "DO" -> new Classification.Information(false);
            case "KILL",
                    "CALL",
                    "LOAD",
                    "GRANT",
                    "REVOKE",
                    "FLUSH",
                    "RESET",
                    "ANALYZE",
                    "OPTIMIZE",
                    "CHECK",
                    "CHECKSUM",
                    "REPAIR",
                    "HANDLER",
                    "PREPARE",
                    "EXECUTE",
                    "DEALLOCATE",
                    "XA",
                    "INSTALL",
                    "UNINSTALL",
                    "IMPORT",
                    "CLONE",
                    "BINLOG",
                    "CACHE",
                    "CHANGE",
                    "PURGE",
                    "STOP",
                    "SHUTDOWN",
                    "RESTART",
                    "SIGNAL",
                    "RESIGNAL" ->
                    new Classification.Unsupported(first.getFirst().upper());
            default -> new Classification.Mistake(sql);
        };
    }

    /// The backend's account may reach files that no client should.
    private static boolean namesFiles(String sql) {
        if (!FILE_WORDS.matcher(sql).find()) {
            return false;
        }
        List<Token> tokens = Tokens.of(sql);
        for (int i = 1; i < tokens.size(); i++) {
            Token before = tokens.get(i - 1);
            Token token = tokens.get(i);
            boolean into = token.is("OUTFILE") || token.is("DUMPFILE");
            boolean place = before.is("DATA") || before.is("INDEX");
            boolean function = token.is("(") && before.kind() != Token.Kind.STRING;
            if ((into && before.is("INTO"))
                    || (place && token.is("DIRECTORY"))
                    || (function && before.upper().equals("LOAD_FILE"))) {
                return true;
            }
        }
        return false;
    }

    private static Classification locks(List<Token> first) {
        boolean tables =
                first.size() > 1 && (first.get(1).is("TABLES") || first.get(1).is("TABLE"));
        return tables
                ? new Classification.TableLocks(first.getFirst().is("LOCK"))
                : new Classification.Unsupported(first.getFirst().upper());
    }

    private static Classification start(String sql, List<Token> first) {
        if (first.size() < 2 || !first.get(1).is("TRANSACTION")) {
            return new Classification.Unsupported("START");
        }
        String rest = sql.toUpperCase(Locale.ROOT).replaceAll("\\s+", " ");
        Access access =
                rest.contains("READ ONLY")
                        ? Access.READ_ONLY
                        : rest.contains("READ WRITE") ? Access.READ_WRITE : Access.DEFAULT;
        return new Classification.Begin(access, rest.contains("CONSISTENT SNAPSHOT"));
    }

    private static Classification ended(List<Token> first, Classification plain) {
        for (Token token : first) {
            if (token.is("TO")) {
                int to = first.indexOf(token);
                boolean word = first.size() > to + 2 && first.get(to + 1).is("SAVEPOINT");
                return savepoint(Action.ROLL_BACK_TO, first, to + (word ? 2 : 1));
            }
            if (token.is("CHAIN") || token.is("RELEASE")) {
                boolean no =
                        first.indexOf(token) > 0 && first.get(first.indexOf(token) - 1).is("NO");
                if (!no) {
                    return new Classification.Unsupported("AND CHAIN and RELEASE");
                }
            }
        }
        return plain;
    }

    private static Classification savepoint(Action action, List<Token> first, int name) {
        return first.size() > name
                ? new Classification.Savepoint(action, first.get(name).text())
                : new Classification.Mistake(first.getFirst().text());
    }

    private static Classification use(List<Token> first) {
        return first.size() < 2
                ? new Classification.Use("")
                : new Classification.Use(first.get(1).text());
    }

    private Classification schemaChange(String sql, List<Token> first) {
        for (Token token : first) {
            switch (token.upper()) {
                case "USER",
                        "ROLE",
                        "SERVER",
                        "FUNCTION",
                        "PROCEDURE",
                        "EVENT",
                        "TRIGGER",
                        "TEMPORARY" -> {
                    return new Classification.Unsupported(
                            first.getFirst().upper() + " " + token.upper());
                }
                default -> {}
            }
        }
        boolean database =
                first.size() > 1 && (first.get(1).is("DATABASE") || first.get(1).is("SCHEMA"));
        return new Classification.SchemaChange(
                database ? name(first) : qualifier(first),
                database,
                SchemaNeeds.of(sql, statements));
    }

    private static String name(List<Token> first) {
        for (Token token : first.subList(2, first.size())) {
            if (!token.is("IF") && !token.is("NOT") && !token.is("EXISTS")) {
                return token.text();
            }
        }
        return "";
    }

    private static String qualifier(List<Token> first) {
        for (int i = 1; i + 1 < first.size(); i++) {
            if (first.get(i).is(".")) {
                return first.get(i - 1).text();
            }
        }
        return "";
    }

    private Classification query(String sql) {
        Reading reading = statements.read(sql);
        if (!reading.understood()) {
            return new Classification.Read(
                    Set.of(),
                    reading.locking(),
                    List.of(),
                    reading.leftOut(),
                    StatementNeeds.of(reading));
        }
        if (reading.systemTables()) {
            return new Classification.Information(true);
        }
        if (reading.reads().isEmpty()) {
            return reading.locking()
                    ? new Classification.Unsupported("locking without tables")
                    : new Classification.Information(false);
        }
        return new Classification.Read(
                reading.reads(),
                reading.locking(),
                reading.query() == null ? List.of() : headings(reading.query()),
                reading.query() == null
                        ? reading.leftOut()
                        : Support.leftToBackend(reading.query()),
                StatementNeeds.of(reading));
    }

    private static List<String> headings(Query query) {
        return switch (query) {
            case Query.Union union -> headings(union.left());
            case Query.Select select ->
                    select.items().stream()
                            .filter(Query.Shown.class::isInstance)
                            .map(Query.Shown.class::cast)
                            .filter(shown -> !(shown.expression() instanceof Expression.Constant))
                            .map(Query.Shown::heading)
                            .filter(heading -> !heading.isEmpty())
                            .toList();
        };
    }

    private Classification update(String sql) {
        Reading reading = statements.read(sql);
        return new Classification.Update(
                reading.understood() ? reading.reads() : firstTable(sql),
                StatementNeeds.of(reading));
    }

    /// Of a statement that the parser does not understand: its class, and so its master, is that of
    /// its first table.
    private static Set<TableName> firstTable(String sql) {
        List<Token> tokens = Tokens.first(sql, 8);
        int at = 0;
        while (at < tokens.size() && BEFORE_THE_TABLE.contains(tokens.get(at).upper())) {
            at++;
        }
        if (at == 0 || at >= tokens.size()) {
            return Set.of();
        }
        boolean qualified = at + 2 < tokens.size() && tokens.get(at + 1).is(".");
        return Set.of(
                qualified
                        ? new TableName(tokens.get(at).text(), tokens.get(at + 2).text())
                        : new TableName("", tokens.get(at).text()));
    }
}
