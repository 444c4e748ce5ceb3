package org.quiredb.scheduler.session.backend;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.schema.TriggerDefinition;
import org.quiredb.common.schema.TriggerDefinition.Event;
import org.quiredb.scheduler.classify.OrderedByAggregate;
import org.quiredb.scheduler.classify.StoredCalls;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.connection.Outcome;
import org.quiredb.scheduler.fallback.connection.Routines;
import org.quiredb.sql.command.RoutineBody;
import org.quiredb.sql.command.RoutineStatement;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Goes through all that a statement may run on the backend: procedures, functions and triggers,
/// what these call, and the triggers of the tables that they change. It takes note of the tables
/// that they name and of those whose rows they may change.
///
/// Triggers are known from the catalogue, all else is asked of the backend.
///
/// Threads: one.
public final class ProgramWalk {
    private static final Set<String> OF_SEQUENCES = Set.of("nextval", "setval", "lastval");
    private static final int MOST_PROGRAMS = 200;

    /// Modes in which quotes end elsewhere, or other statements are read.
    private static final Set<String> OTHER_TEXT = Set.of("ORACLE");

    private static final Set<String> BEFORE_TABLES =
            Set.of("DELAYED", "HIGH_PRIORITY", "IGNORE", "INTO", "LOW_PRIORITY");

    private final boolean mariaDb;
    private final Catalogue catalogue;
    private final String begins;
    private final Deque<Program> left = new ArrayDeque<>();
    private final Set<Program> seen = new HashSet<>();
    private final Set<String> variables = new HashSet<>();
    private final Set<TableName> named = new HashSet<>();
    private final Set<TableName> added = new HashSet<>();
    private final Set<TableName> changed = new HashSet<>();
    private final Set<TableName> given = new HashSet<>();
    private final Set<TableName> temporary = new HashSet<>();
    private boolean changes;
    private boolean beyond;
    private boolean setsInsertId;

    /// Of which the server tells where they are not there.
    private Set<Program> told = Set.of();

    /// What is run.
    private sealed interface Program {
        /// Whose names are those without a database.
        String database();

        String shown();
    }

    /// @param qualified whether the text names its database, or else a package
    private record Routine(boolean function, boolean qualified, TableName name) implements Program {
        @Override
        public String database() {
            return name.database();
        }

        @Override
        public String shown() {
            return "calls " + name;
        }
    }

    /// What the statement itself runs.
    private record Block(Tokens tokens, String database) implements Program {
        @Override
        public String shown() {
            return "";
        }
    }

    private record Fired(TableName table, TriggerDefinition trigger) implements Program {
        @Override
        public String database() {
            return table.database();
        }

        @Override
        public String shown() {
            return "fires the trigger %s of %s".formatted(trigger.name(), table);
        }
    }

    /// Its query has names with their databases.
    private record Viewed(TableName name) implements Program {
        @Override
        public String database() {
            return name.database();
        }

        @Override
        public String shown() {
            return "reads the view " + name;
        }
    }

    /// @param begins what the statement is, for errors
    public ProgramWalk(boolean mariaDb, Catalogue catalogue, String begins) {
        this.mariaDb = mariaDb;
        this.catalogue = catalogue;
        this.begins = begins;
    }

    /// The statement's own text. Of the functions that it calls the server tells where they are not
    /// there.
    ///
    /// @param database the current one
    public void add(Tokens statement, String database) {
        named(statement, database);
        addFunctions(statement, database);
        told = Set.copyOf(left);
        addViews(statement, database);
    }

    /// @param qualified as of its text
    public void addProcedure(TableName name, boolean qualified) {
        left.addFirst(new Routine(false, qualified, name));
    }

    /// Statements in a block of which {@link Tokens#isBlock} is true.
    public void addBlock(Tokens block, String database) {
        left.addFirst(new Block(block, database));
    }

    /// A table whose rows it changes.
    ///
    /// @param events that it is
    public void addChange(TableName table, Set<Event> events) {
        changes = true;
        (events.equals(Set.of(Event.INSERT)) ? added : changed).add(table);
        fires(table, events);
    }

    /// What a statement does by the stored functions that it calls; empty where it calls none.
    ///
    /// @param byViews whether those count, too, that only views call which it reads
    public static Optional<ProgramWalk> called(
            Tokens statement,
            boolean byViews,
            String database,
            boolean mariaDb,
            Supplier<Catalogue> catalogue,
            Supplier<Routines> routines) {
        if (!byViews && !StoredCalls.in(statement, mariaDb)) {
            return Optional.empty();
        }
        ProgramWalk walk = new ProgramWalk(mariaDb, catalogue.get(), "a statement");
        walk.add(statement, database);
        if (walk.left.isEmpty()) {
            return Optional.empty();
        }
        boolean _ = walk.walk(routines.get(), body -> {});
        return Optional.of(walk);
    }

    /// Requires that it changes nothing but user variables, where nobody would see to more.
    ///
    /// @return those that it may set
    public Set<String> requireReading() {
        if (changes) {
            throw unsupported("here a statement that calls what may change rows");
        }
        return variables;
    }

    /// Whether it may change what no rollback of its transaction takes back: by a sequence, or one
    /// of these.
    ///
    /// @param functions stored ones, in lower case
    public static boolean callsStored(Tokens tokens, Set<String> functions) {
        for (int i = 0; i < tokens.size(); i++) {
            String name = tokens.name(i).toLowerCase(Locale.ROOT);
            boolean called =
                    tokens.is(i + 1, '(')
                            && ((OF_SEQUENCES.contains(name) && !tokens.is(i - 1, '.'))
                                    || functions.contains(name));
            if (called
                    || tokens.are(i, "NEXT", "VALUE", "FOR")
                    || tokens.are(i, "PREVIOUS", "VALUE", "FOR")) {
                return true;
            }
        }
        return false;
    }

    /// Whether a statement may call more than its text tells, as a view does, and so is to run in a
    /// transaction that only reads. Those give no values of sequences.
    static boolean mayHide(Tokens statement, boolean mariaDb) {
        return StoredCalls.mayBeHidden(statement, mariaDb) && !callsStored(statement, Set.of());
    }

    /// Whether that is what a statement was refused for that did not seem to change any rows:
    /// nothing of it was done.
    public static boolean changesUnseen(QuireException error) {
        return error.code() == ErrorCode.NOT_SUPPORTED_YET
                && error.getCause() instanceof StatementFailed cause
                && cause.number() == ErrorCode.READ_ONLY_TRANSACTION.number();
    }

    /// What may run in such a transaction.
    static Outcome reading(Supplier<Outcome> run) {
        try {
            return run.get();
        } catch (StatementFailed e) {
            if (e.number() == ErrorCode.READ_ONLY_TRANSACTION.number()) {
                throw new QuireException(
                        ErrorCode.NOT_SUPPORTED_YET,
                        "Quire does not support a stored function that changes rows",
                        e);
            }
            throw e;
        }
    }

    /// @param routines null where the backend is not to be asked
    /// @param first gets what the first one is
    /// @return whether it has come to the end
    public boolean walk(@Nullable Routines routines, First first) {
        Program begun = left.peek();
        while (!left.isEmpty()) {
            Program next = left.remove();
            if (!seen.add(lower(next))) {
                continue;
            }
            if (routines == null && (next instanceof Routine || next instanceof Viewed)) {
                return false;
            }
            if (seen.size() > MOST_PROGRAMS) {
                throw unsupported(begins + " of what runs more than " + MOST_PROGRAMS + " others");
            }
            if (next instanceof Viewed viewed && routines != null) {
                takeNote(viewed, routines);
                continue;
            }
            RoutineBody body = body(routines, next);
            if (next.equals(begun)) {
                first.take(body);
            }
            boolean named = next instanceof Routine r && (r.qualified || !r.function);
            if (body == null && named && !told.contains(next)) {
                beyond = next instanceof Routine routine && !routine.function;
                throw refused(next, "it is not found");
            }
            if (body != null) {
                takeNote(body, next);
            }
        }
        return true;
    }

    public interface First {
        void take(@Nullable RoutineBody body);
    }

    public CalledTables tables() {
        return new CalledTables(named, added, changed);
    }

    /// Those of the tables to which it adds rows that may get AUTO_INCREMENT values otherwise than
    /// from the server.
    public Set<TableName> given() {
        return given;
    }

    /// Whether each INSERT says which columns it gives, and that is none of them; a trigger might
    /// give it, too.
    private boolean mayGiveIds(Tokens tokens, TableName name) {
        TableDefinition table = catalogue.table(name).orElseThrow().definition();
        String counter =
                table.columns().stream()
                        .filter(ColumnDefinition::autoIncrement)
                        .map(ColumnDefinition::name)
                        .findFirst()
                        .orElse("");
        boolean gives = counter.isEmpty() || table.fires(Event.INSERT);
        for (int i = 0; i < tokens.size() && !gives; i++) {
            int at = i + 1;
            while (BEFORE_TABLES.contains(tokens.upper(at))) {
                at++;
            }
            at += tokens.is(at + 1, '.') ? 2 : 0;
            if (tokens.is(i, "INSERT") && tokens.name(at).equalsIgnoreCase(name.name())) {
                gives = !lists(tokens, at + 1, counter);
            }
        }
        return gives;
    }

    /// Whether a list of columns begins there, without one.
    private static boolean lists(Tokens tokens, int from, String column) {
        if (!tokens.is(from, '(')) {
            return false;
        }
        int at = from + 1;
        while (tokens.isName(at) && !tokens.name(at).equalsIgnoreCase(column)) {
            at += tokens.is(at + 1, ',') ? 2 : 1;
        }
        return at > from + 1 && tokens.is(at, ')');
    }

    /// Whether anything of it may change rows, or lock some.
    public boolean changes() {
        return changes;
    }

    public boolean setsInsertId() {
        return setsInsertId;
    }

    /// The user variables that it may set.
    public Set<String> variables() {
        return variables;
    }

    private void takeNote(RoutineBody body, Program of) {
        String database = of.database();
        if (body.variables().contains(TriggerDefinition.VARIABLE)) {
            throw refused(of, "it names @" + TriggerDefinition.VARIABLE);
        }
        variables.addAll(body.variables());
        changes |= !body.change().isEmpty();
        setsInsertId |= !body.change().isEmpty() || SessionTerms.of(body.tokens()).setsInsertId();
        named(body.tokens(), database);
        for (TableName table : body.temporary()) {
            TableName own = table.in(database);
            if (!(of instanceof Routine)) {
                throw refused(of, "it makes or drops temporary tables");
            }
            if (catalogue.table(own).isPresent()) {
                throw refused(of, "a temporary table of it hides " + own);
            }
            temporary.add(own);
        }
        for (TableName table : others(body.added(), database)) {
            TableName held = required(table.in(database), of);
            added.add(held);
            if (mayGiveIds(body.tokens(), held)) {
                given.add(held);
            }
            fires(held, EnumSet.of(Event.INSERT));
        }
        for (TableName table : others(body.changed(), database)) {
            TableName held = required(table.in(database), of);
            changed.add(held);
            fires(held, EnumSet.allOf(Event.class));
        }
        body.calls()
                .forEach(called ->
                        left.add(
                                new Routine(
                                        false, !called.database().isEmpty(), called.in(database))));
        addFunctions(body.tokens(), database);
        addViews(body.tokens(), database);
    }

    private void takeNote(Viewed view, Routines routines) {
        Optional<String> query = routines.view(view.name).map(Routines.View::query);
        if (query.isEmpty()) {
            return; // it is another thing, or not there, which the server tells
        }
        if (query.get().isEmpty()) {
            throw refused(view, "Quire's account is not shown its query");
        }
        Tokens tokens = Tokens.of(query.get()).plain();
        named(tokens, view.database());
        addFunctions(tokens, view.database());
        addViews(tokens, view.database());
    }

    /// Than temporary tables.
    private List<TableName> others(Set<TableName> tables, String database) {
        return tables.stream().filter(table -> !temporary.contains(table.in(database))).toList();
    }

    /// Any word may be a table's name: too many are locked rather than too few.
    private void named(Tokens tokens, String of) {
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.isName(i)) {
                note(new TableName(of, tokens.name(i)));
                if (tokens.is(i + 1, '.') && tokens.isName(i + 2)) {
                    note(new TableName(tokens.name(i), tokens.name(i + 2)));
                }
            }
        }
    }

    private void note(TableName table) {
        if (catalogue.table(table).isPresent()) {
            named.add(table);
        }
    }

    private TableName required(TableName table, Program of) {
        if (catalogue.table(table).isEmpty()) {
            throw refused(
                    of,
                    "it changes rows of %s, which is no table that the tier holds"
                            .formatted(table));
        }
        return table;
    }

    private void fires(TableName table, Set<Event> events) {
        catalogue
                .table(table)
                .ifPresent(entry -> {
                    TableDefinition definition = entry.definition();
                    TableName name = new TableName(definition.schema(), definition.name());
                    definition.triggers().stream()
                            .filter(trigger ->
                                    events.contains(trigger.event()) || !trigger.guarded())
                            .forEach(trigger -> left.add(new Fired(name, trigger)));
                });
    }

    private void addFunctions(Tokens tokens, String database) {
        StoredCalls.named(tokens, mariaDb).stream()
                .map(function ->
                        new Routine(true, !function.database().isEmpty(), function.in(database)))
                .filter(function -> !function.name.database().isEmpty())
                .forEach(left::add);
    }

    /// What is read that may be a view, which calls what its query says.
    private void addViews(Tokens tokens, String database) {
        ReadTables.of(tokens).stream()
                .map(name -> name.in(database))
                .filter(name ->
                        !name.database().isEmpty()
                                && !Fallback.isSystem(name.database())
                                && catalogue.table(name).isEmpty())
                .map(Viewed::new)
                .forEach(left::add);
    }

    private static Program lower(Program program) {
        return switch (program) {
            case Routine(boolean function, boolean qualified, TableName name) ->
                    new Routine(
                            function,
                            qualified,
                            new TableName(name.database(), name.name().toLowerCase(Locale.ROOT)));
            case Fired _, Block _, Viewed _ -> program;
        };
    }

    /// Null where there is none, or which is the server's own function.
    private @Nullable RoutineBody body(@Nullable Routines routines, Program program) {
        return switch (program) {
            case Routine routine when routines == null -> null;
            case Routine routine -> {
                if (routine.qualified && mariaDb && routines.isPackage(routine.name.database())) {
                    throw refused(program, "it may be a package's");
                }
                Optional<Routines.Routine> found = routines.find(routine.function, routine.name);
                yield found.isEmpty() ? null : body(found.get(), routine);
            }
            case Fired fired -> body(fired);
            case Block block -> {
                RoutineBody body = RoutineBody.ofBlock(block.tokens);
                requireKnown(body.beyond(), block);
                yield body;
            }
            case Viewed _ -> null;
        };
    }

    private RoutineBody body(Routines.Routine found, Routine routine) {
        Tokens tokens = tokens(found.create(), found.sqlMode(), routine);
        RoutineBody body =
                RoutineStatement.of(tokens)
                        .map(RoutineStatement::body)
                        .orElseThrow(() -> refused(routine, "it is not understood"));
        requireKnown(body.beyond(), routine);
        return body;
    }

    private RoutineBody body(Fired fired) {
        TriggerDefinition trigger = fired.trigger;
        if (!trigger.guarded()) {
            throw refused(
                    fired,
                    "it was not made through Quire; make it anew by CREATE OR REPLACE TRIGGER, with what SHOW CREATE TRIGGER shows");
        }
        RoutineBody body = RoutineBody.ofTrigger(tokens(trigger.body(), trigger.sqlMode(), fired));
        requireKnown(body.beyond(), fired);
        return body;
    }

    private void requireKnown(String what, Program program) {
        if (!what.isEmpty()) {
            beyond =
                    switch (program) {
                        case Routine routine -> !routine.function;
                        case Block _ -> true;
                        case Fired _, Viewed _ -> false;
                    };
            throw refused(program, "it may leave something changed: " + what);
        }
    }

    /// Whether it was refused for a procedure that does more than change rows, or is not there.
    public boolean isBeyond() {
        return beyond;
    }

    private Tokens tokens(String text, String sqlMode, Program program) {
        Set<String> modes = Set.of(sqlMode.split(",", -1));
        Optional<String> other = OTHER_TEXT.stream().filter(modes::contains).findFirst();
        if (other.isPresent()) {
            throw refused(program, "it was made with sql_mode " + other.get());
        }
        Tokens tokens =
                Tokens.of(
                        Tokens.byDefault(
                                text,
                                modes.contains("ANSI_QUOTES"),
                                !modes.contains("NO_BACKSLASH_ESCAPES")));
        if (tokens.dependsOnVersion()) {
            throw refused(program, "there are comments for some versions in it");
        }
        if (OrderedByAggregate.isIn(tokens)) {
            throw refused(program, "it orders a change of rows by an aggregate");
        }
        return tokens;
    }

    private QuireException refused(Program program, String why) {
        boolean own = program instanceof Block || begins.equals("CALL of " + name(program));
        String shown = own ? "" : ", which " + program.shown();
        return unsupported("%s%s: %s".formatted(begins, shown, why));
    }

    private static String name(Program program) {
        return program instanceof Routine routine ? routine.name.toString() : "";
    }

    private static QuireException unsupported(String what) {
        return new QuireException(ErrorCode.NOT_SUPPORTED_YET, "Quire does not support " + what);
    }
}
