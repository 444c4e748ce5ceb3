package org.quiredb.sql.command;

import java.util.Set;

/// The words by which a stored program's text is read.
final class RoutineWords {
    private RoutineWords() {}

    /// Where a statement stands in a program, or a part of one.
    static final Set<String> BEGIN =
            Set.of(
                    "BEGIN",
                    "CALL",
                    "CASE",
                    "CLOSE",
                    "DECLARE",
                    "DESC",
                    "DESCRIBE",
                    "DO",
                    "ELSE",
                    "ELSEIF",
                    "END",
                    "EXPLAIN",
                    "FETCH",
                    "FOR",
                    "GET",
                    "IF",
                    "ITERATE",
                    "LEAVE",
                    "LOOP",
                    "OPEN",
                    "REPEAT",
                    "RESIGNAL",
                    "RETURN",
                    "SELECT",
                    "SET",
                    "SHOW",
                    "SIGNAL",
                    "UNTIL",
                    "VALUES",
                    "WHEN",
                    "WHILE",
                    "WITH");

    static final Set<String> RESERVED =
            Set.of(
                    "ALTER",
                    "ANALYZE",
                    "CHANGE",
                    "CHECK",
                    "CREATE",
                    "DELETE",
                    "DROP",
                    "DUMPFILE",
                    "GRANT",
                    "INSERT",
                    "KILL",
                    "LOAD",
                    "LOCK",
                    "OPTIMIZE",
                    "OUTFILE",
                    "PURGE",
                    "RELEASE",
                    "RENAME",
                    "REPLACE",
                    "REVOKE",
                    "SONAME",
                    "UPDATE");

    /// With a bracket behind them.
    static final Set<String> RESERVED_FUNCTIONS = Set.of("INSERT", "REPLACE");

    /// What begins a statement, and names things, too.
    static final Set<String> OTHERS =
            Set.of(
                    "BACKUP",
                    "BINLOG",
                    "CACHE",
                    "CHECKSUM",
                    "CLONE",
                    "COMMIT",
                    "DEALLOCATE",
                    "EXECUTE",
                    "FLUSH",
                    "HANDLER",
                    "HELP",
                    "IMPORT",
                    "INSTALL",
                    "PREPARE",
                    "REPAIR",
                    "RESET",
                    "RESTART",
                    "ROLLBACK",
                    "SAVEPOINT",
                    "SHUTDOWN",
                    "START",
                    "STOP",
                    "TRUNCATE",
                    "UNINSTALL",
                    "UNLOCK",
                    "USE",
                    "XA");

    static final Set<String> FUNCTIONS =
            Set.of(
                    "GET_LOCK",
                    "RELEASE_LOCK",
                    "RELEASE_ALL_LOCKS",
                    "IS_FREE_LOCK",
                    "IS_USED_LOCK",
                    "LOAD_FILE",
                    "NEXTVAL",
                    "SETVAL");

    /// What SIGNAL sets; no server has a variable of such a name.
    static final Set<String> OF_CONDITIONS =
            Set.of(
                    "catalog_name",
                    "class_origin",
                    "column_name",
                    "constraint_catalog",
                    "constraint_name",
                    "constraint_schema",
                    "cursor_name",
                    "message_text",
                    "mysql_errno",
                    "schema_name",
                    "subclass_origin",
                    "table_name");

    /// The rows that fire a trigger.
    static final Set<String> OF_TRIGGERS = Set.of("new", "old");

    static final Set<String> OF_ROWS = Set.of("DELETE", "INSERT", "REPLACE", "UPDATE");

    /// Between such a word and its table. What is DELAYED changes rows later, and past the caller,
    /// but where a statement has the tables already that a trigger or a function names.
    static final Set<String> BEFORE_TABLES =
            Set.of("HIGH_PRIORITY", "IGNORE", "INTO", "LOW_PRIORITY", "QUICK");

    static final Set<String> AFTER_TABLES = Set.of("LIMIT", "ORDER", "RETURNING", "SET", "WHERE");

    /// Of temporary tables; others reach files, or other hosts.
    static final Set<String> ENGINES = Set.of("ARIA", "INNODB", "MEMORY", "MYISAM");

    static final Set<String> AFTER_DECLARED = Set.of("CONDITION", "CURSOR", "HANDLER");

    /// Whose END has a second word; a CASE has it where it is a statement.
    static final Set<String> ENDED = Set.of("CASE", "FOR", "IF", "LOOP", "REPEAT", "WHILE");

    /// Of these, what neither declares names nor may be an expression.
    static final Set<String> CONTROLS = Set.of("FOR", "IF", "LOOP", "REPEAT", "WHILE");

    static final Set<String> BEFORE_AN_OPERAND =
            Set.of(
                    "AND",
                    "BETWEEN",
                    "BINARY",
                    "BY",
                    "CASE",
                    "DISTINCT",
                    "DIV",
                    "ELSE",
                    "ESCAPE",
                    "INTERVAL",
                    "IS",
                    "LIKE",
                    "MOD",
                    "NOT",
                    "OR",
                    "REGEXP",
                    "RLIKE",
                    "SELECT",
                    "THEN",
                    "WHEN",
                    "WHERE",
                    "XOR");
}
