package org.quiredb.master.schema;

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

    private SchemaStatement() {}

    /// @throws QuireException when the statement names no schema and none is in use
    static ConflictClass classOf(String database, String sql) {
        for (Pattern pattern : new Pattern[] {DATABASE, TABLE}) {
            Matcher matcher = pattern.matcher(sql);
            if (matcher.matches()) {
                String quoted = matcher.group(1);
                return new ConflictClass(
                        quoted == null ? matcher.group(2) : quoted.replace("``", "`"));
            }
        }
        if (database.isEmpty()) {
            throw new QuireException(ErrorCode.NO_DATABASE_SELECTED, "No database selected");
        }
        return new ConflictClass(database);
    }
}
