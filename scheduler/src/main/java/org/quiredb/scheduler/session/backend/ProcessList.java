package org.quiredb.scheduler.session.backend;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.scheduler.account.Need;
import org.quiredb.scheduler.account.Privilege;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Tokens;

/// The tier's clients, as SHOW PROCESSLIST and information_schema.PROCESSLIST tell of them: their
/// ids are those that KILL takes. The backend's list has the tier's own connections, under ids that
/// are nobody's here.
///
/// Threads: owned by the session's thread.
public final class ProcessList {
    private static final String SCHEMA = "information_schema";
    private static final String TABLE = "processlist";

    /// Behind the table's name, where no alias is.
    private static final Set<String> CLAUSES =
            Set.of(
                    ("WHERE ORDER GROUP HAVING LIMIT JOIN INNER CROSS LEFT RIGHT NATURAL STRAIGHT_JOIN ON USING"
                                    + " UNION EXCEPT INTERSECT FOR LOCK INTO WINDOW OFFSET FETCH PROCEDURE SET USE FORCE IGNORE")
                            .split(" ", -1));

    /// Of all statements together, in what is sent to the backend.
    private static final int MOST_CHARACTERS = 1 << 20;

    private static final int LEAST_CHARACTERS = 100;

    private final Services services;
    private final SessionState state;

    ProcessList(Services services, SessionState state) {
        this.services = services;
        this.state = state;
    }

    /// The clients of the session's user, and with the privilege PROCESS everybody's.
    public List<SchedulerReply.ClientProcess> visible() {
        boolean all =
                services.accounts()
                        .rights(state.login())
                        .allows(Need.everywhere(Privilege.PROCESS));
        return services.processes().apply(all ? "" : state.login().account().user());
    }

    /// As MySQL's column Command.
    public static String command(SchedulerReply.ClientProcess process) {
        return process.runs() ? "Query" : "Sleep";
    }

    /// As MySQL's column State.
    public static String state(SchedulerReply.ClientProcess process) {
        return process.runs() ? "starting" : "";
    }

    /// Has a statement read the tier's list where it names the backend's.
    void instead(Tokens tokens, Edits edits) {
        if (tokens.is(0, "SHOW")) { // which tells of the table itself
            return;
        }
        boolean current = state.database().equalsIgnoreCase(SCHEMA);
        boolean instead = false;
        for (int i = 1; i < tokens.size(); i++) {
            boolean full = isSchemas(tokens, i);
            int name = full ? i + 2 : i;
            if (!isList(tokens, name) || tokens.is(name + 1, '.')) {
                continue;
            }
            if ((full || current) && isTable(tokens, i)) {
                boolean aliased =
                        tokens.isName(name + 1) && !CLAUSES.contains(tokens.upper(name + 1));
                edits.replace(i, name + 1, aliased ? rows() : rows() + " AS " + TABLE);
                instead = true;
            }
        }
        for (int i = 1; instead && i < tokens.size(); i++) {
            if (isList(tokens, i) && tokens.is(i + 1, '.')) { // a column of the table
                edits.replace(isSchemas(tokens, i - 2) ? i - 2 : i, i + 1, TABLE);
            }
        }
    }

    private static boolean isList(Tokens tokens, int i) {
        return tokens.name(i).equalsIgnoreCase(TABLE);
    }

    private static boolean isSchemas(Tokens tokens, int i) {
        return tokens.name(i).equalsIgnoreCase(SCHEMA) && tokens.is(i + 1, '.');
    }

    private static boolean isTable(Tokens tokens, int i) {
        int before = i - 1;
        while (tokens.is(before, '(')) {
            before--;
        }
        return tokens.is(before, "FROM")
                || tokens.upper(before).endsWith("JOIN")
                || tokens.is(before, ',');
    }

    private String rows() {
        List<SchedulerReply.ClientProcess> all = visible();
        int shown = Math.max(LEAST_CHARACTERS, MOST_CHARACTERS / all.size());
        return all.stream()
                .map(process -> row(process, shown))
                .collect(Collectors.joining(" UNION ALL ", "(", ")"));
    }

    /// @param shown characters of its statement
    private String row(SchedulerReply.ClientProcess process, int shown) {
        String sql = process.statement();
        String statement =
                process.runs() ? text(sql.substring(0, Math.min(shown, sql.length()))) : "NULL";
        String standard =
                "SELECT CAST(%d AS SIGNED) AS ID, %s AS USER, %s AS HOST, %s AS DB, %s AS COMMAND, %d AS TIME, %s AS STATE, %s AS INFO"
                        .formatted(
                                process.id(),
                                name(process.user()),
                                name(process.host()),
                                process.database().isEmpty() ? "NULL" : name(process.database()),
                                name(command(process)),
                                process.millis() / 1_000,
                                name(state(process)),
                                statement);
        return services.mariaDb() ? standard + ofMariaDb(process, statement) : standard;
    }

    /// What the tier does not count is 0.
    private static String ofMariaDb(SchedulerReply.ClientProcess process, String statement) {
        return ", %d.000 AS TIME_MS, 0 AS STAGE, 0 AS MAX_STAGE, 0.000 AS PROGRESS, 0 AS MEMORY_USED, 0 AS MAX_MEMORY_USED, 0 AS EXAMINED_ROWS, 0 AS SENT_ROWS, 0 AS QUERY_ID, %s AS INFO_BINARY, 0 AS TID"
                .formatted(process.millis(), "CAST(%s AS BINARY)".formatted(statement));
    }

    /// MariaDB has names in a character set whose texts any other text is compared with.
    private String name(String value) {
        return services.mariaDb()
                ? "CONVERT(%s USING utf8mb3)".formatted(text(value))
                : text(value);
    }

    /// In digits, so that others' texts end where they end in whatever character set and mode the
    /// session has.
    private static String text(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        return "_utf8mb4 x'" + HexFormat.of().formatHex(bytes) + "'";
    }
}
