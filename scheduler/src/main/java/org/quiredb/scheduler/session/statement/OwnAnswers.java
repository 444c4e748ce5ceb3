package org.quiredb.scheduler.session.statement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.quiredb.common.message.Condition;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.common.mysql.ColumnFlag;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.mysql.ResultSetEncoder;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.session.backend.ProcessList;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Diagnostics;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.command.SessionTerms.Known;
import org.quiredb.sql.command.SessionTerms.Place;
import org.quiredb.sql.command.SessionTerms.Term;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// Answers that the session has itself: what is left of the statement before.
///
/// Threads: owned by the session's thread.
final class OwnAnswers {
    private static final int BINARY = 63;
    private static final int UTF8MB4 = 45;
    private static final int BYTES_OF_A_CHARACTER = 4;
    private static final int MESSAGE_CHARACTERS = 512;
    private static final int BIGINT_LENGTH = 21;

    /// Longer ones may be of another type.
    private static final long MOST_OF_AN_INT = 999_999_999;

    /// Characters of a statement that SHOW PROCESSLIST shows without FULL.
    private static final int SHORT_STATEMENT = 100;

    private static final long MOST_OF_A_STATEMENT = 805_306_368;

    private static final int DECIMALS_OF_MARIA_DBS_TEXT = 39;

    private final SessionState state;
    private final boolean mariaDb;
    private final int decimalsOfText;

    /// @param mariaDb as whose they are to look
    OwnAnswers(SessionState state, boolean mariaDb) {
        decimalsOfText = mariaDb ? DECIMALS_OF_MARIA_DBS_TEXT : ColumnMetadata.UNSPECIFIED_DECIMALS;
        this.mariaDb = mariaDb;
        this.state = state;
    }

    /// SHOW WARNINGS and its kind.
    void show(Classification.Conditions asked, ClientStatement statement, Output output) {
        Diagnostics diagnostics = state.diagnostics();
        if (asked.count()) {
            Known known = asked.errors() ? Known.ERROR_COUNT : Known.WARNING_COUNT;
            String name = asked.errors() ? "@@session.error_count" : "@@session.warning_count";
            List<SqlValue[]> rows = List.<SqlValue[]>of(new SqlValue[] {value(known)});
            send(List.of(number(known, name, 0)), rows, statement, output);
            return;
        }
        List<SqlValue[]> rows =
                diagnostics.conditions().stream()
                        .filter(condition -> !asked.errors() || condition.isError())
                        .skip(asked.offset())
                        .limit(asked.most())
                        .map(OwnAnswers::row)
                        .toList();
        send(
                List.of(
                        text("Level", 7),
                        ColumnMetadata.expression(
                                "Code",
                                BINARY,
                                4,
                                MySqlType.LONG,
                                ColumnFlag.NOT_NULL | ColumnFlag.UNSIGNED | ColumnFlag.BINARY,
                                0),
                        text("Message", MESSAGE_CHARACTERS)),
                rows,
                statement,
                output);
    }

    /// SHOW PROCESSLIST.
    ///
    /// @param full the statements' whole texts
    void show(
            List<SchedulerReply.ClientProcess> processes,
            boolean full,
            ClientStatement statement,
            Output output) {
        List<ColumnMetadata> columns =
                new ArrayList<>(
                        List.of(
                                whole("Id", MySqlType.LONGLONG, BIGINT_LENGTH - 1),
                                text("User", 128),
                                text("Host", 64),
                                orNull("db", 64),
                                text("Command", 16),
                                whole("Time", MySqlType.LONG, 11),
                                orNull("State", 30),
                                full
                                        ? ColumnMetadata.expression(
                                                "Info",
                                                UTF8MB4,
                                                MOST_OF_A_STATEMENT,
                                                MySqlType.LONG_BLOB,
                                                0,
                                                decimalsOfText)
                                        : orNull("Info", SHORT_STATEMENT)));
        if (mariaDb) {
            columns.add(
                    ColumnMetadata.expression(
                            "Progress",
                            BINARY,
                            7,
                            MySqlType.DOUBLE,
                            ColumnFlag.NOT_NULL | ColumnFlag.BINARY,
                            3));
        }
        List<SqlValue[]> rows =
                processes.stream()
                        .map(process -> Arrays.copyOf(row(process, full), columns.size()))
                        .toList();
        send(columns, rows, statement, output);
    }

    private static SqlValue[] row(SchedulerReply.ClientProcess process, boolean full) {
        String text = process.statement();
        boolean whole = full || text.length() <= SHORT_STATEMENT;
        return new SqlValue[] {
            SqlValue.of(process.id()),
            SqlValue.of(process.user()),
            SqlValue.of(process.host()),
            process.database().isEmpty() ? SqlValue.NULL : SqlValue.of(process.database()),
            SqlValue.of(ProcessList.command(process)),
            SqlValue.of(process.millis() / 1_000),
            SqlValue.of(ProcessList.state(process)),
            process.runs()
                    ? SqlValue.of(whole ? text : text.substring(0, SHORT_STATEMENT))
                    : SqlValue.NULL,
            new SqlValue.DoubleValue(0)
        };
    }

    private static ColumnMetadata whole(String name, int type, int length) {
        return ColumnMetadata.expression(
                name, BINARY, length, type, ColumnFlag.NOT_NULL | ColumnFlag.BINARY, 0);
    }

    private static SqlValue[] row(Condition condition) {
        return new SqlValue[] {
            SqlValue.of(condition.level()),
            SqlValue.of(condition.number()),
            SqlValue.of(condition.message())
        };
    }

    /// A SELECT of nothing but what is left of the statement before.
    ///
    /// @return false for any other
    boolean select(ClientStatement statement, Output output) {
        Tokens tokens = statement.tokens();
        if (!tokens.is(0, "SELECT")) {
            return false;
        }
        if (!statement.ofSession()) {
            return mariaDb && !state.limitsRows() && number(tokens, statement, output);
        }
        List<Place> places = SessionTerms.of(tokens).places();
        List<ColumnMetadata> columns = new ArrayList<>();
        SqlValue[] row = new SqlValue[places.size()];
        int at = 1;
        for (Place place : places) {
            Optional<ColumnMetadata> column =
                    place.from() == at && place.term() instanceof Term.Of(Known known)
                            ? column(tokens, place, known)
                            : Optional.empty();
            if (column.isEmpty()) {
                return false;
            }
            row[columns.size()] = value(((Term.Of) place.term()).known());
            columns.add(column.get());
            at = end(tokens, place) + 1;
        }
        if (columns.isEmpty() || at != tokens.size() + 1) {
            return false;
        }
        send(columns, List.<SqlValue[]>of(row), statement, output);
        return true;
    }

    /// `SELECT 1`, with which applications ask whether anybody is there.
    private boolean number(Tokens tokens, ClientStatement statement, Output output) {
        boolean named = tokens.is(2, "AS") && tokens.isName(3);
        int from = named ? 4 : 2;
        int end = tokens.are(from, "FROM", "DUAL") ? from + 2 : from;
        boolean ends = tokens.size() == end || (tokens.size() == end + 1 && tokens.is(end, ';'));
        if (!ends
                || !(tokens.get(1) instanceof Token.Constant constant)
                || !(constant.value() instanceof SqlValue.IntegerValue value)
                || value.value() < 0
                || value.value() > MOST_OF_AN_INT
                || !constant.text().equals(String.valueOf(value.value()))) {
            return false;
        }
        ColumnMetadata column =
                ColumnMetadata.expression(
                        named ? tokens.name(3) : constant.text(),
                        BINARY,
                        constant.text().length(),
                        MySqlType.LONG,
                        ColumnFlag.NOT_NULL | ColumnFlag.BINARY,
                        0);
        send(List.of(column), List.<SqlValue[]>of(new SqlValue[] {value}), statement, output);
        return true;
    }

    private static Optional<ColumnMetadata> column(Tokens tokens, Place place, Known known) {
        int end = end(tokens, place);
        if (end < tokens.size() && !tokens.is(end, ',')) {
            return Optional.empty();
        }
        String name =
                end == place.to()
                        ? tokens.text(place.from(), place.to())
                        : tokens.get(end - 1) instanceof Token.Constant constant
                                ? constant.plainText()
                                : tokens.name(end - 1);
        boolean function = !tokens.is(place.from(), '@');
        return Optional.of(number(known, name, function ? ColumnFlag.NOT_NULL : 0));
    }

    /// After the alias, if there is one.
    private static int end(Tokens tokens, Place place) {
        int at = place.to();
        boolean as = tokens.is(at, "AS");
        int name = as ? at + 1 : at;
        boolean named =
                tokens.isName(name)
                        || (name < tokens.size()
                                && tokens.get(name) instanceof Token.Constant constant
                                && constant.value() instanceof SqlValue.StringValue);
        boolean clause =
                tokens.is(name, "FROM") || tokens.is(name, "WHERE") || tokens.is(name, "LIMIT");
        return named && !clause ? name + 1 : at;
    }

    private SqlValue value(Known known) {
        return new SqlValue.IntegerValue(state.value(known), isUnsigned(known));
    }

    private static boolean isUnsigned(Known known) {
        return known != Known.ROW_COUNT && known != Known.FOUND_ROWS;
    }

    private static ColumnMetadata number(Known known, String name, int flags) {
        return ColumnMetadata.expression(
                name,
                BINARY,
                BIGINT_LENGTH,
                MySqlType.LONGLONG,
                flags | ColumnFlag.BINARY | (isUnsigned(known) ? ColumnFlag.UNSIGNED : 0),
                0);
    }

    private ColumnMetadata text(String name, int characters) {
        return text(name, characters, ColumnFlag.NOT_NULL);
    }

    private ColumnMetadata orNull(String name, int characters) {
        return text(name, characters, 0);
    }

    private ColumnMetadata text(String name, int characters, int flags) {
        return ColumnMetadata.expression(
                name,
                UTF8MB4,
                (long) characters * BYTES_OF_A_CHARACTER,
                MySqlType.VAR_STRING,
                flags,
                decimalsOfText);
    }

    private void send(
            List<ColumnMetadata> columns,
            List<SqlValue[]> rows,
            ClientStatement statement,
            Output output) {
        ResultSetEncoder encoder =
                new ResultSetEncoder(
                        packets -> output.relay(packets, () -> {}),
                        statement.binaryRows(),
                        state.statusFlags(statement.moreResults()));
        encoder.columns(columns);
        rows.forEach(encoder::row);
        long _ = encoder.finish();
    }
}
