package org.quiredb.scheduler.fallback;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.ShownValues;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.fallback.Evaluated.Row;
import org.quiredb.scheduler.fallback.Evaluation.Extent;
import org.quiredb.scheduler.fallback.Evaluation.Target;
import org.quiredb.scheduler.fallback.connection.Asked;
import org.quiredb.scheduler.fallback.connection.DriverErrors;
import org.quiredb.scheduler.fallback.connection.Killer;
import org.quiredb.scheduler.fallback.connection.Outcome;
import org.quiredb.scheduler.fallback.connection.OverlaySql;
import org.quiredb.scheduler.fallback.connection.PooledConnection;
import org.quiredb.scheduler.fallback.connection.ProcedureCall;
import org.quiredb.scheduler.fallback.connection.Routines;
import org.quiredb.scheduler.fallback.connection.SeenRoutines;
import org.quiredb.scheduler.fallback.connection.SettingsBefore;
import org.quiredb.scheduler.fallback.connection.ShownRoutines;
import org.quiredb.sql.text.Tokens;

/// Has the backend run a change of rows, in a transaction there that is rolled back, and compares
/// the rows that it may have changed before and after.
///
/// Invariant: the rows told are all that it has changed. Where the whole table was looked at, they
/// are; elsewhere the server's own count of them must be theirs, else it is refused.
///
/// Invariant: of rows it locks those of the named tables alone. Other tables' would stay locked for
/// as long as a client keeps its state of the backend, and appliers wait for them; so foreign keys
/// are left to the master, but where IGNORE passes over what they refuse, and in a CALL, of which
/// the master has locked those tables, too.
///
/// Threads: one; its connection's.
final class Evaluator {
    private static final int KEYS_AT_ONCE = 200;
    private static final String SETTINGS =
            "SELECT @@character_set_results, @@foreign_key_checks,"
                    + " @@auto_increment_increment, @@auto_increment_offset LIMIT 1";
    private static final String CHARACTERS = "SELECT @@character_set_results LIMIT 1";

    /// Waits in vain, deadlocks, rows changed since, and what its client, or its time, has ended.
    private static final Set<Integer> ENDING = Set.of(1020, 1053, 1205, 1213, 1317, 1969, 3024);

    private static final Set<Integer> DENIED = Set.of(1142, 1143);

    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

    private final PooledConnection pooled;
    private final Evaluation evaluation;
    private final ImageBytes images = ImageBytes.ofThisHeap();

    /// @param literals what two rows are compared by
    private record Image(List<SqlValue> values, List<String> literals) {}

    private Evaluator(PooledConnection pooled, Evaluation evaluation) {
        this.pooled = pooled;
        this.evaluation = evaluation;
    }

    /// @throws NotLaidException where it cannot be told what it has changed
    static Evaluated run(PooledConnection pooled, Evaluation evaluation) throws SQLException {
        return new Evaluator(pooled, evaluation).run();
    }

    /// Runs a CALL. An error that ends it undoes nothing of what it has done before, as on a server
    /// that commits each of its statements; but one after which it is to be tried again, or which
    /// the client has asked for.
    ///
    /// @param results gets the packets of its results
    /// @throws NotLaidException where it cannot be told what it has changed
    static Evaluated call(
            PooledConnection pooled,
            Evaluation evaluation,
            Routines.Look look,
            Consumer<byte[]> results)
            throws SQLException {
        return new Evaluator(pooled, evaluation).call(look, results);
    }

    /// @throws NotLaidException where the query has more rows
    static long count(PooledConnection pooled, String query, int most) throws SQLException {
        StopSignal.current().check();
        try (Statement statement = pooled.connection().createStatement();
                Killer _ = pooled.stoppable()) {
            statement.setEscapeProcessing(false);
            statement.setFetchSize(Integer.MIN_VALUE); // one after the other
            try {
                return count(statement, inParentheses(query) + " LIMIT " + (most + 1L), most);
            } catch (SQLException e) {
                if (e.getErrorCode() != ErrorCode.DUPLICATE_COLUMN.number()) {
                    throw e;
                }
                // With a LIMIT of its own it is a derived table, which has each name once.
                return count(statement, query, most);
            }
        }
    }

    private static long count(Statement statement, String query, int most) throws SQLException {
        long rows = 0;
        try (ResultSet result = statement.executeQuery(query)) {
            while (rows <= most && result.next()) {
                rows++;
            }
        }
        if (rows > most) {
            throw new NotLaidException(
                    false,
                    "it adds more than %d rows (scheduler.limits.overlayRows)".formatted(most));
        }
        return rows;
    }

    /// Behind its WITH, which stands in parentheses with no MariaDB.
    private static String inParentheses(String query) {
        Tokens tokens = Tokens.of(query);
        int depth = 0;
        int from = 0;
        while (tokens.is(0, "WITH")
                && from < tokens.size()
                && !(depth == 0 && begins(tokens, from))) {
            depth += tokens.is(from, '(') ? 1 : tokens.is(from, ')') ? -1 : 0;
            from++;
        }
        return tokens.text(0, from) + " (" + tokens.text(from, tokens.size()) + ")";
    }

    /// Other parentheses follow the name of what WITH names, or AS.
    private static boolean begins(Tokens tokens, int at) {
        return tokens.is(at, "SELECT") || (tokens.is(at, '(') && tokens.is(at - 1, ')'));
    }

    /// Foreign keys hold in it, for what its handlers and later statements see: of its targets are
    /// the tables into which they cascade, and the master has locked all to which they lead.
    private Evaluated call(Routines.Look look, Consumer<byte[]> results) throws SQLException {
        List<Target> targets = placed();
        List<Map<List<String>, Image>> before = images(targets, null);
        SeenRoutines routines = new SeenRoutines(new ShownRoutines(pooled));
        ProcedureCall call = look.at(routines);
        Evaluated ended = ProcedureRun.toItsEnd(pooled, call, results);
        List<Map<List<String>, Image>> after = images(targets, before);
        if (!pooled.inTransaction()) { // which an error does not say
            throw new SQLException("the transaction of a CALL is over", "08S01");
        }
        if (!routines.isSame()) {
            throw new NotLaidException(
                    true, "a stored program was replaced while it ran; try restarting transaction");
        }
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < before.size(); i++) {
            compare(targets.get(i), before.get(i), after.get(i), rows);
        }
        HiddenMembers.requireNone(rows);
        return new Evaluated(ended.outcome(), rows, ended.failure());
    }

    /// Whether the transaction is what it was before the statement that it has ended.
    static boolean goesOn(SQLException error) {
        return !ENDING.contains(error.getErrorCode());
    }

    /// The targets, with the values from which on rows are looked at.
    private List<Target> placed() throws SQLException {
        List<Target> placed = new ArrayList<>();
        try (Statement statement = pooled.connection().createStatement()) {
            statement.setEscapeProcessing(false);
            for (Target target : evaluation.targets()) {
                placed.add(
                        target.extent() == Extent.BEHIND
                                ? target.from(target.counter(), next(statement, target))
                                : target);
            }
        }
        return placed;
    }

    private static long next(Statement statement, Target target) throws SQLException {
        String last = "MAX(" + OverlaySql.quote(target.counter()) + ")";
        try (ResultSet row =
                statement.executeQuery("SELECT " + last + target.from() + " LIMIT 1")) {
            row.next();
            BigDecimal value = row.getBigDecimal(1);
            return value == null ? 1 : value.add(BigDecimal.ONE).longValueExact();
        }
    }

    /// @param before the same, before; null where that is asked
    private List<Map<List<String>, Image>> images(
            List<Target> targets, @Nullable List<Map<List<String>, Image>> before)
            throws SQLException {
        StopSignal.current().check();
        List<Map<List<String>, Image>> images = new ArrayList<>();
        try (Statement statement = pooled.connection().createStatement();
                Killer _ = pooled.stoppable()) {
            statement.setEscapeProcessing(false);
            if (pooled.showsUtf8()) {
                addImages(statement, targets, before, images);
                return images;
            }
            try (SettingsBefore _ = SettingsBefore.of(pooled, statement, CHARACTERS)) {
                statement.execute("SET character_set_results = utf8mb4");
                addImages(statement, targets, before, images);
            }
        }
        return images;
    }

    private void addImages(
            Statement statement,
            List<Target> targets,
            @Nullable List<Map<List<String>, Image>> before,
            List<Map<List<String>, Image>> images)
            throws SQLException {
        for (int i = 0; i < targets.size(); i++) {
            Target target = targets.get(i);
            images.add(
                    before == null || target.extent() != Extent.FOUND
                            ? rows(statement, target)
                            : byKeys(statement, target, List.copyOf(before.get(i).keySet())));
        }
    }

    private Evaluated run() throws SQLException {
        StopSignal.current().check();
        try (Statement statement = pooled.connection().createStatement();
                Killer _ = pooled.stoppable()) {
            statement.setEscapeProcessing(false);
            try (SettingsBefore _ = SettingsBefore.of(pooled, statement, SETTINGS)) {
                return run(statement);
            }
        }
    }

    private Evaluated run(Statement statement) throws SQLException {
        statement.execute(
                "SET character_set_results = utf8mb4" // of what rows hold nothing is lost
                        + (evaluation.ignores() ? "" : ", foreign_key_checks = 0"));
        List<Map<List<String>, Image>> before = new ArrayList<>();
        SQLException denied = before(statement, before);
        if (evaluation.firstId() > 0) {
            set(
                    statement,
                    "SET auto_increment_increment = 1, auto_increment_offset = 1, insert_id = "
                            + evaluation.firstId());
        }
        Asked asked = Objects.requireNonNull(evaluation.asked());
        if (statement.execute(asked.sql())) {
            throw new NotLaidException(false, "it answers with rows");
        }
        if (denied != null) {
            throw new NotLaidException(
                    false, "its account may not SELECT, or lock, all that it may change", denied);
        }
        return evaluated(statement, before);
    }

    /// An account may change what it may not read, by a view above all. It is told so once the
    /// statement itself has none of its errors.
    ///
    /// @return what it was denied; null for nothing
    private @Nullable SQLException before(
            Statement statement, List<Map<List<String>, Image>> before) throws SQLException {
        try {
            for (Target target : evaluation.targets()) {
                before.add(rows(statement, target));
            }
            return null;
        } catch (SQLException e) {
            if (!DENIED.contains(e.getErrorCode())) {
                throw e;
            }
            return e;
        }
    }

    private static void set(Statement statement, String settings) throws SQLException {
        try {
            statement.execute(settings);
        } catch (SQLException e) {
            throw DriverErrors.isLost(e)
                    ? e
                    : new NotLaidException(false, "the backend takes no ids: " + e.getMessage(), e);
        }
    }

    private Evaluated evaluated(Statement statement, List<Map<List<String>, Image>> before)
            throws SQLException {
        Outcome outcome =
                Outcome.changed(statement, Objects.requireNonNull(evaluation.asked()).then());
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < evaluation.targets().size(); i++) {
            Target target = evaluation.targets().get(i);
            Map<List<String>, Image> after = new LinkedHashMap<>();
            if (target.extent() == Extent.FOUND || target.extent() == Extent.KEYED) {
                after.putAll(byKeys(statement, target, List.copyOf(before.get(i).keySet())));
            }
            if (target.extent() != Extent.FOUND) {
                after.putAll(rows(statement, target));
            }
            compare(target, before.get(i), after, rows);
        }
        HiddenMembers.requireNone(rows);
        requireAll(outcome, rows, before.stream().anyMatch(one -> !one.isEmpty()));
        return new Evaluated(outcome, rows);
    }

    /// @param met whether rows were there before
    private void requireAll(Outcome outcome, List<Row> rows, boolean met) throws SQLException {
        boolean moves =
                rows.stream()
                        .filter(row -> !row.key().isEmpty())
                        .anyMatch(row ->
                                (row.before() == null && !evaluation.adds())
                                        || (row.after() == null && !evaluation.removes()));
        if (moves) { // which is neither an INSERT nor a DELETE to foreign keys
            throw new NotLaidException(false, "it changes primary keys");
        }
        if (evaluation.targets().stream().allMatch(t -> t.extent() == Extent.TABLE)) {
            return;
        }
        boolean keyed = evaluation.targets().stream().anyMatch(t -> t.extent() == Extent.KEYED);
        if (keyed) {
            long changed = rows.stream().filter(row -> row.before() != null).count();
            requireAll(outcome.affectedRows() == 1 + changed && (met || !rows.isEmpty()));
            return;
        }
        boolean updates = outcome.changedRows().isPresent();
        long counted = outcome.changedRows().orElse(outcome.affectedRows());
        boolean fits =
                rows.stream()
                        .allMatch(row ->
                                row.before() == null
                                        ? adds(row.table())
                                        : !adds(row.table()) && (row.after() != null) == updates);
        requireAll(counted == rows.size() && fits);
    }

    private static void requireAll(boolean told) throws SQLException {
        if (!told) {
            throw new NotLaidException(
                    false,
                    "it changes rows that cannot be told without looking at all of the table");
        }
    }

    private boolean adds(TableDefinition table) {
        return evaluation.targets().stream()
                .anyMatch(t -> t.table().equals(table) && t.extent() == Extent.NEW);
    }

    private static void compare(
            Target target,
            Map<List<String>, Image> before,
            Map<List<String>, Image> after,
            List<Row> rows) {
        List<ColumnDefinition> columns = target.columns();
        List<Integer> key = target.key().stream().map(columns::indexOf).toList();
        if (key.isEmpty()) {
            compareAlike(target, before.values(), after.values(), rows);
            return;
        }
        before.forEach((named, row) -> {
            Image now = after.get(named);
            if (now == null || !row.literals().equals(now.literals())) {
                List<SqlValue> values = now == null ? null : now.values();
                rows.add(new Row(target.table(), columns, key, row.values(), values));
            }
        });
        after.forEach((named, row) -> {
            if (!before.containsKey(named)) {
                rows.add(new Row(target.table(), columns, key, null, row.values()));
            }
        });
    }

    /// Of rows that are known by their values alone all that are alike go where there are fewer of
    /// them afterwards, and those come back: whoever finds as many by their values has found these.
    private static void compareAlike(
            Target target, Collection<Image> before, Collection<Image> after, List<Row> rows) {
        Map<List<String>, List<Image>> were = alike(before);
        Map<List<String>, List<Image>> are = alike(after);
        List<ColumnDefinition> columns = target.columns();
        were.forEach((values, some) -> {
            if (are.getOrDefault(values, List.of()).size() < some.size()) {
                for (Image row : some) {
                    rows.add(new Row(target.table(), columns, List.of(), row.values(), null));
                }
            }
        });
        Map<List<String>, Integer> seen = new HashMap<>();
        for (Image row : after) { // in the order in which they came
            int had = were.getOrDefault(row.literals(), List.of()).size();
            int stay = had > are.getOrDefault(row.literals(), List.of()).size() ? 0 : had;
            if (seen.merge(row.literals(), 1, Integer::sum) > stay) {
                rows.add(new Row(target.table(), columns, List.of(), null, row.values()));
            }
        }
    }

    private static Map<List<String>, List<Image>> alike(Collection<Image> rows) {
        return rows.stream()
                .collect(
                        Collectors.groupingBy(
                                Image::literals, LinkedHashMap::new, Collectors.toList()));
    }

    private Map<List<String>, Image> rows(Statement statement, Target target) throws SQLException {
        String query =
                "SELECT "
                        + selected(target.called(), target.columns())
                        + target.from()
                        + " LIMIT "
                        + (evaluation.mostRows() + 1L)
                        + " FOR UPDATE";
        Map<List<String>, Image> rows = new LinkedHashMap<>();
        read(statement, query, target, rows);
        if (rows.size() > evaluation.mostRows()) {
            throw new NotLaidException(
                    false,
                    "it may change any of more than %d rows of %s (scheduler.limits.overlayRows)"
                            .formatted(evaluation.mostRows(), target.table().name()));
        }
        return rows;
    }

    private Map<List<String>, Image> byKeys(
            Statement statement, Target target, List<List<String>> keys) throws SQLException {
        Target whole = Target.whole(target.table());
        Map<List<String>, Image> rows = new LinkedHashMap<>();
        for (int from = 0; from < keys.size(); from += KEYS_AT_ONCE) {
            StringJoiner any = new StringJoiner(" OR ");
            for (List<String> key :
                    keys.subList(from, Math.min(keys.size(), from + KEYS_AT_ONCE))) {
                StringJoiner all = new StringJoiner(" AND ", "(", ")");
                for (int i = 0; i < key.size(); i++) {
                    all.add(is(target.key().get(i), key.get(i)));
                }
                any.add(all.toString());
            }
            String query =
                    "SELECT "
                            + selected(whole.called(), target.columns())
                            + whole.from()
                            + " WHERE "
                            + any
                            + " LIMIT "
                            + KEYS_AT_ONCE
                            + " FOR UPDATE"; // whatever SQL_SELECT_LIMIT the session has
            read(statement, query, target, rows);
        }
        return rows;
    }

    /// At most as many rows as are asked for, one after the other, so that what they take is looked
    /// at before the next comes. A row of a table without a primary key is known by its values, and
    /// by how many alike came before it: what is beyond those that were there has come.
    private void read(
            Statement statement, String query, Target target, Map<List<String>, Image> into)
            throws SQLException {
        List<ColumnDefinition> columns = target.columns();
        List<Integer> key = target.key().stream().map(columns::indexOf).toList();
        Map<List<String>, Integer> alike = new HashMap<>();
        statement.setFetchSize(Integer.MIN_VALUE); // the driver's word for that
        try (ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                List<SqlValue> values = new ArrayList<>(columns.size());
                for (int i = 0; i < columns.size(); i++) {
                    byte @Nullable [] shown = result.getBytes(i + 1);
                    images.add(shown == null ? 0 : shown.length);
                    values.add(value(shown, columns.get(i)));
                }
                List<String> literals = values.stream().map(SqlValue::literal).toList();
                Image image = new Image(List.copyOf(values), literals);
                if (key.isEmpty()) {
                    List<String> named = new ArrayList<>(literals);
                    named.add(String.valueOf(alike.merge(literals, 1, Integer::sum)));
                    into.put(List.copyOf(named), image);
                } else {
                    into.put(key.stream().map(literals::get).toList(), image);
                }
            }
        }
    }

    static String selected(String called, List<ColumnDefinition> columns) {
        return columns.stream()
                .map(c -> {
                    String name = called + "." + OverlaySql.quote(c.name());
                    return isMoment(c)
                            ? "UNIX_TIMESTAMP(" + name + ")"
                            : HiddenMembers.selected(name, c);
                })
                .collect(Collectors.joining(", "));
    }

    /// Whatever zone the session has, in which a text is another moment.
    private static String is(ColumnDefinition column, String literal) {
        String name = OverlaySql.quote(column.name());
        if (!isMoment(column)) {
            return name + " = " + literal;
        }
        String moment = literal.substring(1, literal.length() - 1);
        String seconds =
                moment.startsWith("0000")
                        ? "0"
                        : LocalDateTime.parse(moment, MOMENT).toEpochSecond(ZoneOffset.UTC)
                                + moment.substring(moment.indexOf('.'));
        return "UNIX_TIMESTAMP(" + name + ") = " + seconds;
    }

    private static boolean isMoment(ColumnDefinition column) {
        return column.type().startsWith("timestamp");
    }

    /// Of a moment in UTC, whatever zone the session has; 0 stands for the date of zeroes.
    static SqlValue value(byte @Nullable [] shown, ColumnDefinition column) {
        if (shown == null || !isMoment(column)) {
            return ShownValues.of(shown, column);
        }
        BigDecimal seconds = new BigDecimal(new String(shown, StandardCharsets.US_ASCII));
        if (seconds.signum() == 0) {
            return SqlValue.of("0000-00-00 00:00:00");
        }
        long whole = seconds.longValue();
        long nanos = seconds.subtract(BigDecimal.valueOf(whole)).movePointRight(9).longValue();
        return SqlValue.of(
                MOMENT.format(LocalDateTime.ofEpochSecond(whole, (int) nanos, ZoneOffset.UTC)));
    }
}
