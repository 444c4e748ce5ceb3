package org.quiredb.scheduler.session.setting;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.command.SetReader;
import org.quiredb.sql.command.Setting;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// A statement that says for how long it may take, or what else is set while it runs, in words of
/// MariaDB's, and what is left of it without them.
public sealed interface OwnLimit {
    /// As of @@max_statement_time.
    double MOST_SECONDS = 31_536_000;

    /// The statement.
    String sql();

    /// `SET STATEMENT max_statement_time = seconds FOR statement`, as which MariaDB's JDBC driver
    /// sends one with a timeout.
    ///
    /// @param millis 0 for as long as it likes
    record Time(long millis, String sql) implements OwnLimit {}

    /// `SELECT ... FOR UPDATE WAIT seconds`, or LOCK IN SHARE MODE, for locks; NOWAIT after that;
    /// either after LOCK TABLES.
    record Wait(long millis, String sql) implements OwnLimit {}

    /// `SET STATEMENT variable = value, ... FOR statement`, of constants.
    ///
    /// @param head the assignments, as written
    record Variables(List<Setting.Variable> settings, String head, String sql) implements OwnLimit {
        public Variables {
            settings = List.copyOf(settings);
        }
    }

    /// @return empty for anything else, with expressions too
    static Optional<OwnLimit> of(Tokens tokens) {
        if (tokens.dependsOnVersion()) { // what is taken out of such a comment may be none of it
            return Optional.empty();
        }
        if (tokens.are(0, "SET", "STATEMENT", "max_statement_time")
                && tokens.is(3, '=')
                && tokens.is(5, "FOR")
                && tokens.size() > 6) {
            return millis(tokens, 4).map(m -> new Time(m, tokens.text(6, tokens.size())));
        }
        if (tokens.are(0, "SET", "STATEMENT") && !tokens.is(2, '=')) {
            return variables(tokens);
        }
        int end = tokens.is(tokens.size() - 1, ';') ? tokens.size() - 1 : tokens.size();
        boolean tables = tokens.is(0, "LOCK") && (tokens.is(1, "TABLES") || tokens.is(1, "TABLE"));
        if (tokens.are(end - 3, "SHARE", "MODE", "NOWAIT")
                || (tables && tokens.is(end - 1, "NOWAIT"))) {
            return Optional.of(new Wait(0, tokens.text(0, end - 1)));
        }
        boolean locks =
                (tables && tokens.is(end - 2, "WAIT"))
                        || tokens.are(end - 4, "FOR", "UPDATE", "WAIT")
                        || tokens.are(end - 4, "SHARE", "MODE", "WAIT");
        return locks
                ? millis(tokens, end - 1).map(m -> new Wait(m, tokens.text(0, end - 2)))
                : Optional.empty();
    }

    private static Optional<OwnLimit> variables(Tokens tokens) {
        int end = 2;
        while (end < tokens.size() && !tokens.is(end, "FOR")) {
            end++;
        }
        if (end == 2 || end + 1 >= tokens.size()) {
            return Optional.empty();
        }
        String head = tokens.text(2, end);
        List<Setting.Variable> settings = new ArrayList<>();
        for (Setting setting : SetReader.of(Tokens.of("SET " + head))) {
            boolean constant = SetReader.isConstant(Tokens.of("SET " + setting.text()).plain());
            if (!constant || !(setting instanceof Setting.Variable one) || one.global()) {
                return Optional.empty();
            }
            settings.add(one);
        }
        return Optional.of(new Variables(settings, head, tokens.text(end + 1, tokens.size())));
    }

    private static Optional<Long> millis(Tokens tokens, int at) {
        if (!tokens.isConstant(at) || !(tokens.get(at) instanceof Token.Constant constant)) {
            return Optional.empty();
        }
        double seconds =
                switch (constant.value()) {
                    case SqlValue.IntegerValue(long value, boolean _) -> value;
                    case SqlValue.DecimalValue(String value) -> Double.parseDouble(value);
                    default -> -1;
                };
        return seconds < 0
                ? Optional.empty()
                : Optional.of((long) Math.ceil(Math.min(seconds, MOST_SECONDS) * 1000));
    }
}
