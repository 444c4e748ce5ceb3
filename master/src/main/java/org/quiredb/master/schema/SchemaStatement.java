package org.quiredb.master.schema;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.version.ConflictClass;

/// Finds the schema, and so the class, that a DDL statement changes.
final class SchemaStatement {
    private static final String NAME = "(?:`((?:[^`]|``)+)`|([\\p{L}\\p{N}_$]+))";
    private static final Pattern DATABASE =
            Pattern.compile(
                    "\\s*(?:CREATE|DROP|ALTER)\\s+(?:DATABASE|SCHEMA)\\s+(?:IF\\s+(?:NOT\\s+)?EXISTS\\s+)?"
                            + NAME
                            + ".*",
                    Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern TABLE =
            Pattern.compile(
                    "\\s*(?:(?:CREATE|DROP|ALTER|RENAME)\\s+(?:TEMPORARY\\s+)?TABLES?|TRUNCATE(?:\\s+TABLE)?"
                            + "|(?:CREATE|DROP)\\s+(?:UNIQUE\\s+|FULLTEXT\\s+)?INDEX\\b.*?\\sON)"
                            + "\\s+(?:IF\\s+(?:NOT\\s+)?EXISTS\\s+)?"
                            + NAME
                            + "\\s*\\.\\s*[`\\p{L}\\p{N}_$].*",
                    Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final Pattern TEXT =
            Pattern.compile(
                    "'(?:[^'\\\\]|\\\\.|'')*'|\"(?:[^\"\\\\]|\\\\.|\"\")*\"", Pattern.DOTALL);
    private static final Pattern COMMENT =
            Pattern.compile("/\\*M?!\\d*|/\\*.*?\\*/|\\*/", Pattern.DOTALL);
    private static final Pattern QUALIFIED = Pattern.compile(NAME + "\\s*\\.");

    private SchemaStatement() {}

    /// The order of one class does not tell when something happens in another.
    ///
    /// @throws QuireException when the statement names something in a schema of another class
    static void refuseAcross(ConflictClass conflictClass, String sql, List<String> schemas) {
        Matcher matcher = QUALIFIED.matcher(TEXT.matcher(plain(sql)).replaceAll("''"));
        while (matcher.find()) {
            String schema = name(matcher);
            if (!schema.equals(conflictClass.name()) && schemas.contains(schema)) {
                throw new QuireException(
                        ErrorCode.NOT_SUPPORTED_YET,
                        "Quire does not support a schema change across databases: "
                                + conflictClass
                                + " and "
                                + schema);
            }
        }
    }

    /// What a server reads: dumps put the newer words into comments for servers that know them.
    private static String plain(String sql) {
        return COMMENT.matcher(sql).replaceAll(" ");
    }

    private static String name(Matcher matcher) {
        String quoted = matcher.group(1);
        return quoted == null ? matcher.group(2) : quoted.replace("``", "`");
    }

    /// @throws QuireException when the statement names no schema and none is in use
    static ConflictClass classOf(String database, String sql) {
        for (Pattern pattern : new Pattern[] {DATABASE, TABLE}) {
            Matcher matcher = pattern.matcher(plain(sql));
            if (matcher.matches()) {
                return new ConflictClass(name(matcher));
            }
        }
        if (database.isEmpty()) {
            throw new QuireException(ErrorCode.NO_DATABASE_SELECTED, "No database selected");
        }
        return new ConflictClass(database);
    }
}
