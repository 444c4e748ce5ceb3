package org.quiredb.scheduler.classify;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.select.Select;
import org.jspecify.annotations.Nullable;
import org.quiredb.scheduler.classify.Classification.Access;
import org.quiredb.scheduler.classify.Classification.Savepoint.Action;

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

    private static final int FIRST_TOKENS = 8;

    /// Longer texts are not worth the memory: they carry their data in literals and never come
    /// again.
    private static final int CACHED_LENGTH = 8 * 1024;

    private static final int PARSE_ATTEMPTS = 5;
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]*");
    private static final Pattern LOCKING =
            Pattern.compile(
                    "\\bFOR\\s+(UPDATE|SHARE)\\b|\\bLOCK\\s+IN\\s+SHARE\\s+MODE\\b",
                    Pattern.CASE_INSENSITIVE);

    private final Cache<String, Classification> cache;

    public Classifier(int maximumTexts) {
        cache = Caffeine.newBuilder().maximumSize(maximumTexts).build();
    }

    public Classification classify(String sql) {
        return sql.length() > CACHED_LENGTH ? analyse(sql) : cache.get(sql, Classifier::analyse);
    }

    private static Classification analyse(String sql) {
        List<Token> first = Tokens.first(sql, FIRST_TOKENS);
        if (first.isEmpty()) {
            return new Classification.Empty();
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
            case "CREATE", "ALTER", "DROP", "RENAME", "TRUNCATE" -> schemaChange(first);
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

    private static Classification schemaChange(List<Token> first) {
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
        return new Classification.SchemaChange(database ? name(first) : qualifier(first), database);
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

    private static Classification query(String sql) {
        Statement statement = parsed(sql);
        if (!(statement instanceof Select)) {
            return new Classification.Read(
                    Set.of(), LOCKING.matcher(sql).find(), "a syntax that only the backend knows");
        }
        Survey survey = Survey.of(statement);
        Set<TableName> tables = survey.tables();
        if (survey.systemTables()) {
            return new Classification.Information(true);
        }
        if (tables.isEmpty()) {
            return survey.locking()
                    ? new Classification.Unsupported("locking without tables")
                    : new Classification.Information(false);
        }
        return new Classification.Read(tables, survey.locking(), survey.backendReason());
    }

    private static Classification update(String sql) {
        Statement statement = parsed(sql);
        return new Classification.Update(
                statement == null ? firstTable(sql) : Survey.of(statement).tables());
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

    /// A name that the parser takes for a keyword, as MySQL does not, is quoted and tried again.
    /// Who is wrong then is for the engine to say: this only finds tables and functions.
    private static @Nullable Statement parsed(String sql) {
        String text = sql;
        for (int attempt = 1; attempt <= PARSE_ATTEMPTS; attempt++) {
            try {
                return CCJSqlParserUtil.newParser(text)
                        .withSquareBracketQuotation(false)
                        .withBackslashEscapeCharacter(true)
                        .Statement();
            } catch (ParseException e) {
                String quoted = quoted(text, e.currentToken);
                if (quoted.isEmpty()) {
                    return null;
                }
                text = quoted;
            } catch (RuntimeException | Error e) {
                return null;
            }
        }
        return null;
    }

    /// The text with this token between quotes; empty when that is no name.
    private static String quoted(String text, net.sf.jsqlparser.parser.@Nullable Token token) {
        if (token == null
                || token.image == null
                || !NAME.matcher(token.image).matches()
                || ReservedWords.contains(token.image)) {
            return "";
        }
        int begin = token.absoluteBegin - 1; // counted from 1
        if (!text.startsWith(token.image, begin)) {
            return "";
        }
        return text.substring(0, begin)
                + '`'
                + token.image
                + '`'
                + text.substring(begin + token.image.length());
    }
}
