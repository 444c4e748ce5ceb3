package org.quiredb.sql.command;

import java.util.Locale;
import java.util.Set;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// Which statements depend on nothing but the server, who asks, and what the session has set: asked
/// again by a session of the same, they say the same.
///
/// Pure.
public final class SettingTerms {
    /// Not what counts or goes on by itself, as `@@timestamp` and `@@warning_count`.
    private static final Set<String> VARIABLES =
            Set.of(
                    "auto_increment_increment",
                    "auto_increment_offset",
                    "autocommit",
                    "character_set_client",
                    "character_set_connection",
                    "character_set_database",
                    "character_set_results",
                    "character_set_server",
                    "collation_connection",
                    "collation_database",
                    "collation_server",
                    "default_storage_engine",
                    "foreign_key_checks",
                    "group_concat_max_len",
                    "have_ssl",
                    "init_connect",
                    "innodb_lock_wait_timeout",
                    "interactive_timeout",
                    "lc_messages",
                    "lc_time_names",
                    "license",
                    "lower_case_table_names",
                    "max_allowed_packet",
                    "max_execution_time",
                    "max_statement_time",
                    "net_buffer_length",
                    "net_read_timeout",
                    "net_write_timeout",
                    "performance_schema",
                    "protocol_version",
                    "query_cache_size",
                    "query_cache_type",
                    "sql_auto_is_null",
                    "sql_mode",
                    "sql_notes",
                    "sql_safe_updates",
                    "sql_select_limit",
                    "storage_engine",
                    "system_time_zone",
                    "time_zone",
                    "transaction_isolation",
                    "transaction_read_only",
                    "tx_isolation",
                    "tx_read_only",
                    "unique_checks",
                    "version",
                    "version_comment",
                    "version_compile_machine",
                    "version_compile_os",
                    "version_ssl_library",
                    "wait_timeout");

    private static final Set<String> OF_THE_SESSION = Set.of("SESSION", "LOCAL");
    private static final Set<String> WHO_AND_WHERE =
            Set.of(
                    "CURRENT_USER",
                    "DATABASE",
                    "SCHEMA",
                    "SESSION_USER",
                    "SYSTEM_USER",
                    "USER",
                    "VERSION");
    private static final Set<String> OF_CONSTANTS = Set.of("CONCAT", "REPLACE");

    private static final Set<String> OF_SEQUENCES = Set.of("NEXT", "PREVIOUS");

    private SettingTerms() {}

    /// Whether it is a SELECT of settings, the session's names, constants and sums of those alone.
    public static boolean shown(Tokens tokens) {
        if (!tokens.is(0, "SELECT")) {
            return false;
        }
        int at = 1;
        while (true) {
            int end = variable(tokens, at);
            end = end < 0 ? function(tokens, at) : end;
            end = end < 0 ? sum(tokens, at) : end;
            if (end < 0) {
                return false;
            }
            at = alias(tokens, end);
            if (!tokens.is(at, ',')) {
                break;
            }
            at++;
        }
        if (tokens.are(at, "FROM", "DUAL")) {
            at += 2;
        }
        if (tokens.is(at, "LIMIT") && tokens.isConstant(at + 1)) {
            at += 2;
        }
        return at == tokens.size();
    }

    /// Of constants, or one alone; what is after it, negative where there is none.
    private static int sum(Tokens tokens, int at) {
        int end = -1;
        for (int next = at; tokens.isConstant(next); next = end + 1) {
            end = next + 1;
            if (!tokens.is(end, '+') && !tokens.is(end, '*')) {
                break;
            }
        }
        return end;
    }

    /// Whether an assignment, or a value of one, is made of constants and settings alone.
    public static boolean constant(Tokens tokens) {
        for (int at = 0; at < tokens.size(); at++) {
            boolean ofNothing =
                    switch (tokens.get(at)) {
                        case Token.Word _ -> isHarmless(tokens, at);
                        case Token.Constant _, Token.Quoted _ -> true;
                        case Token.Symbol(char c, boolean _) -> {
                            if (c == '(') { // of no query
                                yield OF_CONSTANTS.contains(tokens.upper(at - 1));
                            }
                            if (c != '@') {
                                yield "=:,.)+-".indexOf(c) >= 0;
                            }
                            int end = variable(tokens, at);
                            at = end - 1;
                            yield end >= 0;
                        }
                        default -> false;
                    };
            if (!ofNothing) {
                return false;
            }
        }
        return true;
    }

    /// A word may also be a function that is written without parentheses.
    private static boolean isHarmless(Tokens tokens, int at) {
        String word = tokens.upper(at);
        return tokens.is(at + 1, '(')
                ? OF_CONSTANTS.contains(word)
                : !OF_SEQUENCES.contains(word)
                        && !word.startsWith("CURRENT_")
                        && !word.startsWith("LOCALTIME")
                        && !word.startsWith("UTC_");
    }

    /// @return after it, negative where there is none
    private static int variable(Tokens tokens, int at) {
        if (!tokens.is(at, '@') || !tokens.is(at + 1, '@')) {
            return -1;
        }
        boolean scoped = OF_THE_SESSION.contains(tokens.upper(at + 2)) && tokens.is(at + 3, '.');
        int name = scoped ? at + 4 : at + 2;
        return VARIABLES.contains(tokens.name(name).toLowerCase(Locale.ROOT)) ? name + 1 : -1;
    }

    private static int function(Tokens tokens, int at) {
        if (!WHO_AND_WHERE.contains(tokens.upper(at))) {
            return -1;
        }
        boolean called = tokens.is(at + 1, '(') && tokens.is(at + 2, ')');
        return called ? at + 3 : tokens.is(at, "CURRENT_USER") ? at + 1 : -1;
    }

    private static int alias(Tokens tokens, int at) {
        int name = tokens.is(at, "AS") ? at + 1 : at;
        boolean named = tokens.isName(name) || tokens.isConstant(name);
        return named && !tokens.is(name, "LIMIT") && !tokens.is(name, "FROM") ? name + 1 : at;
    }
}
