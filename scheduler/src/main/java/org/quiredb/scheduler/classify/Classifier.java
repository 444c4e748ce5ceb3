package org.quiredb.scheduler.classify;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.SavepointStep;
import org.quiredb.common.message.SavepointStep.Kind;
import org.quiredb.scheduler.account.Need;
import org.quiredb.scheduler.account.Privilege;
import org.quiredb.scheduler.classify.Classification.Access;
import org.quiredb.sql.KeptReadings;
import org.quiredb.sql.command.AccountStatement;
import org.quiredb.sql.command.Kill;
import org.quiredb.sql.command.LoadStatement;
import org.quiredb.sql.command.RoutineStatement;
import org.quiredb.sql.command.SchemaStatement;
import org.quiredb.sql.command.TableLock;
import org.quiredb.sql.command.TriggerStatement;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.Query;
import org.quiredb.sql.tree.Reading;
import org.quiredb.sql.tree.Support;
import org.quiredb.sql.tree.TableName;

/// Classifies statements and remembers what it found by their text.
///
/// Threads: any.
public final class Classifier {
    /// Without one of these a statement has no query in it.
    private static final Set<String> OF_QUERIES = Set.of("SELECT", "TABLE", "WITH", "FROM");

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

    private static final Set<String> CHANGED_AS_A_WHOLE =
            Set.of("TABLE", "TABLES", "INDEX", "VIEW", "DATABASE", "SCHEMA", "SEQUENCE");
    private static final Set<String> UNSUPPORTED_IN_DDL =
            Set.of("USER", "ROLE", "SERVER", "EVENT", "TRIGGER", "TEMPORARY", "PACKAGE");

    /// What a query of a view must not do unseen: these stay with the connection, or in a sequence.
    private static final Set<String> NOT_IN_VIEWS =
            Set.of("GET_LOCK", "RELEASE_LOCK", "RELEASE_ALL_LOCKS", "NEXTVAL", "SETVAL");

    /// Before TABLESPACE: rows come and go with a file of one backend's.
    private static final Set<String> OF_FILES = Set.of("DISCARD", "IMPORT");

    /// Longer texts are not worth the memory: they carry their data in literals and never come
    /// again.
    private static final int CACHED_LENGTH = 8 * 1024;

    private final KeptReadings statements;
    private final Cache<String, Classification> cache;
    private final boolean mariaDb;

    /// @param mariaDb whether the backend is one, else MySQL
    public Classifier(int maximumTexts, boolean mariaDb) {
        this.mariaDb = mariaDb;
        statements = new KeptReadings(maximumTexts);
        cache = Caffeine.newBuilder().maximumSize(maximumTexts).build();
    }

    /// As {@link #classify} has found before; null where that is to be found anew.
    public @Nullable Classification known(String sql) {
        return cache.getIfPresent(sql);
    }

    public Classification classify(String sql) {
        return sql.length() > CACHED_LENGTH ? analyse(sql) : cache.get(sql, this::analyse);
    }

    private Classification analyse(String sql) {
        Tokens whole = Tokens.ofNormalized(sql);
        Tokens tokens = whole.plain();
        if (endsAt(0, tokens)) {
            return new Classification.Empty();
        }
        if (namesFiles(tokens)) {
            return new Classification.Unsupported("files on the server's host");
        }
        if (mariaDb && tokens.isBlock()) {
            return new Classification.Call(null);
        }
        if (AccountStatement.is(tokens)) {
            return new Classification.AccountChange();
        }
        String first = tokens.is(0, '(') ? "(" : tokens.upper(0);
        return switch (first) {
            case "WITH" -> changesRows(tokens) ? update(whole, tokens) : query(whole);
            case "SELECT", "(", "TABLE", "VALUES" -> query(whole);
            case "INSERT", "UPDATE", "DELETE", "REPLACE" -> update(whole, tokens);
            case "BEGIN" ->
                    endsAt(tokens.is(1, "WORK") ? 2 : 1, tokens)
                            ? new Classification.Begin(Access.DEFAULT, false)
                            : new Classification.Mistake(tokens.text());
            case "START" -> start(tokens);
            case "COMMIT" -> ended(tokens, true);
            case "ROLLBACK" -> ended(tokens, false);
            case "SAVEPOINT" -> savepoint(Kind.SET, tokens, 1);
            case "RELEASE" -> savepoint(Kind.RELEASE, tokens, 2);
            case "SET" -> new Classification.Assignment();
            case "USE" -> new Classification.Use(tokens.name(1));
            case "PREPARE" -> PreparedByName.prepare(tokens);
            case "EXECUTE" -> PreparedByName.execute(tokens);
            case "DEALLOCATE" -> PreparedByName.deallocate(tokens);
            case "DROP" ->
                    tokens.is(1, "PREPARE")
                            ? PreparedByName.deallocate(tokens)
                            : tokens.is(1, "TEMPORARY")
                                    ? TemporaryNames.drop(tokens)
                                    : schemaChange(tokens);
            case "ALTER" ->
                    TableServices.switchesKeys(tokens)
                            ? new Classification.TableService(true)
                            : schemaChange(tokens);
            case "CREATE" -> {
                int at = tokens.are(1, "OR", "REPLACE") ? 3 : 1;
                yield tokens.is(at, "TEMPORARY")
                        ? TemporaryNames.create(tokens, at + 1)
                        : schemaChange(tokens);
            }
            case "RENAME", "TRUNCATE" -> schemaChange(tokens);
            case "SHOW" -> show(tokens);
            case "DESCRIBE", "DESC", "EXPLAIN", "HELP" -> new Classification.Information(true);
            case "LOCK", "UNLOCK" -> locks(tokens);
            case "DO" -> new Classification.Information(false);
            case "KILL" -> kill(tokens);
            case "ANALYZE", "CHECK", "CHECKSUM", "OPTIMIZE", "REPAIR" -> TableServices.read(tokens);
            case "FLUSH" -> TableServices.flush(tokens);
            case "CALL" -> call(tokens);
            case "LOAD" ->
                    LoadStatement.of(tokens)
                            .<Classification>map(Classifier::loaded)
                            .orElseGet(() -> notLoaded(tokens));
            case "RESET",
                    "HANDLER",
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
                    "RESIGNAL",
                    "GET",
                    "BACKUP" ->
                    new Classification.Unsupported(first);
            default -> new Classification.Mistake(sql);
        };
    }

    /// The backend's account may reach files that no client should.
    private static boolean namesFiles(Tokens tokens) {
        for (int i = 1; i < tokens.size(); i++) {
            boolean into = tokens.is(i, "OUTFILE") || tokens.is(i, "DUMPFILE");
            boolean place = tokens.is(i - 1, "DATA") || tokens.is(i - 1, "INDEX");
            if ((into && tokens.is(i - 1, "INTO"))
                    || (place && tokens.is(i, "DIRECTORY"))
                    || (tokens.is(i, '(') && tokens.name(i - 1).equalsIgnoreCase("LOAD_FILE"))) {
                return true;
            }
        }
        return false;
    }

    /// Whether a statement that begins with WITH is one of MySQL 8's that go on with UPDATE or
    /// DELETE: both words are reserved, so that elsewhere they are but names behind a point.
    private static boolean changesRows(Tokens tokens) {
        for (int i = 1; i < tokens.size(); i++) {
            boolean locks = tokens.are(i - 1, "FOR", "UPDATE");
            boolean changes = tokens.is(i, "UPDATE") || tokens.is(i, "DELETE");
            if (changes && !locks && !tokens.is(i - 1, '.')) {
                return true;
            }
        }
        return false;
    }

    private static Classification show(Tokens tokens) {
        boolean full = tokens.is(1, "FULL");
        int list = full ? 2 : 1;
        if (tokens.is(list, "PROCESSLIST") && tokens.size() == list + 1) {
            return new Classification.ProcessList(full);
        }
        return ShownConditions.read(tokens).orElse(new Classification.Information(true));
    }

    private static Classification call(Tokens tokens) {
        int name = tokens.is(2, '.') ? 3 : 1;
        int end = tokens.size() - (tokens.is(tokens.size() - 1, ';') ? 1 : 0);
        boolean named = tokens.isName(1) && tokens.isName(name);
        boolean whole = end == name + 1 || closes(tokens, name + 1) == end - 1;
        return named && whole
                ? new Classification.Call(
                        new TableName(name == 1 ? "" : tokens.name(1), tokens.name(name)))
                : new Classification.Mistake(tokens.text());
    }

    /// Where the bracket that opens there is closed, with nothing in it that would end the
    /// statement; -1 for nowhere.
    private static int closes(Tokens tokens, int open) {
        int depth = 0;
        for (int i = open; i < tokens.size() && !tokens.is(i, ';'); i++) {
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
            if (depth == 0) {
                return tokens.is(i, ')') ? i : -1;
            }
        }
        return -1;
    }

    private static Classification locks(Tokens tokens) {
        if (!tokens.is(1, "TABLES") && !tokens.is(1, "TABLE")) {
            return new Classification.Unsupported(tokens.upper(0));
        }
        if (tokens.is(0, "UNLOCK")) {
            return endsAt(2, tokens)
                    ? new Classification.UnlockTables()
                    : new Classification.Mistake(tokens.text());
        }
        return TableLock.read(tokens)
                .<Classification>map(Classifier::locked)
                .orElseGet(() -> new Classification.Mistake(tokens.text()));
    }

    private static Classification notLoaded(Tokens tokens) {
        boolean other = !tokens.is(1, "DATA") || !tokens.has("LOCAL") || tokens.has("PARTITION");
        return other
                ? new Classification.Unsupported("LOAD but for LOAD DATA LOCAL of whole tables")
                : new Classification.Mistake(tokens.text());
    }

    private static Classification.Load loaded(LoadStatement load) {
        TableName table = load.table();
        List<Need> needs = new ArrayList<>();
        needs.add(Need.on(Privilege.INSERT, table.database(), table.name()));
        if (load.replaces()) {
            needs.add(Need.on(Privilege.DELETE, table.database(), table.name()));
        }
        return new Classification.Load(table, load.replaces(), needs);
    }

    private static Classification.LockTables locked(List<TableLock> locks) {
        List<Need> needs = new ArrayList<>();
        for (TableLock lock : locks) {
            TableName table = lock.table();
            needs.add(Need.on(Privilege.LOCK_TABLES, table.database(), ""));
            needs.add(Need.on(Privilege.SELECT, table.database(), table.name()));
        }
        return new Classification.LockTables(locks, needs);
    }

    /// But for the semicolon that may end it: what follows that would be another statement.
    static boolean endsAt(int at, Tokens tokens) {
        int end = tokens.size();
        return at == end || (at + 1 == end && tokens.is(at, ';'));
    }

    private static Classification start(Tokens tokens) {
        if (!tokens.is(1, "TRANSACTION")) {
            return new Classification.Unsupported("START");
        }
        if (!isOne(tokens)) {
            return new Classification.Mistake(tokens.text());
        }
        Access access = Access.DEFAULT;
        boolean snapshot = false;
        for (int i = 2; i < tokens.size(); i++) {
            access = tokens.are(i, "READ", "ONLY") ? Access.READ_ONLY : access;
            boolean write = access == Access.DEFAULT && tokens.are(i, "READ", "WRITE");
            access = write ? Access.READ_WRITE : access;
            snapshot |= tokens.are(i, "CONSISTENT", "SNAPSHOT");
        }
        return new Classification.Begin(access, snapshot);
    }

    private static boolean isOne(Tokens tokens) {
        for (int i = 0; i + 1 < tokens.size(); i++) {
            if (tokens.is(i, ';')) {
                return false;
            }
        }
        return true;
    }

    private static Classification ended(Tokens tokens, boolean commits) {
        int at = tokens.is(1, "WORK") ? 2 : 1;
        if (!commits && tokens.is(at, "TO")) {
            return savepoint(
                    Kind.ROLL_BACK_TO, tokens, tokens.is(at + 1, "SAVEPOINT") ? at + 2 : at + 1);
        }
        boolean chains = tokens.are(at, "AND", "CHAIN");
        at += chains ? 2 : tokens.are(at, "AND", "NO", "CHAIN") ? 3 : 0;
        boolean releases = !chains && tokens.is(at, "RELEASE");
        at += releases ? 1 : tokens.are(at, "NO", "RELEASE") ? 2 : 0;
        if (at != tokens.size() && !(tokens.is(at, ';') && at + 1 == tokens.size())) {
            return new Classification.Mistake(tokens.text());
        }
        return releases
                ? new Classification.Unsupported("COMMIT and ROLLBACK with RELEASE")
                : new Classification.Ending(commits, chains);
    }

    private static Classification savepoint(Kind kind, Tokens tokens, int at) {
        String name = tokens.name(at);
        return name.isEmpty() || at + 1 != tokens.size()
                ? new Classification.Mistake(tokens.text())
                : new Classification.Savepoint(
                        new SavepointStep(kind, name.toLowerCase(Locale.ROOT)));
    }

    private static Classification kill(Tokens tokens) {
        return switch (Kill.read(tokens)) {
            case Kill.Of(Kill.Victim victim, boolean statement) ->
                    new Classification.Killing(victim, statement);
            case Kill.Unsupported(String what) -> new Classification.Unsupported(what);
            case Kill.Mistake() -> new Classification.Mistake(tokens.text());
        };
    }

    private Classification schemaChange(Tokens tokens) {
        Optional<TriggerStatement> trigger = TriggerStatement.of(tokens);
        if (trigger.isPresent()) {
            String beyond = trigger.get().drops() ? "" : trigger.get().body().beyond();
            SchemaStatement read = SchemaStatement.of(tokens, statements);
            return beyond.isEmpty()
                    ? new Classification.SchemaChange(read.names(), SchemaNeeds.of(read))
                    : new Classification.Unsupported("a trigger with " + beyond);
        }
        Optional<RoutineStatement> routine = RoutineStatement.of(tokens);
        if (routine.isPresent() && routine.get().function() && !routine.get().beyond().isEmpty()) {
            return new Classification.Unsupported(
                    "a stored function with " + routine.get().beyond());
        }
        boolean ofObject = routine.isEmpty() && !tokens.is(0, "TRUNCATE");
        for (int i = 1; i < tokens.size() && ofObject; i++) {
            boolean named = tokens.is(i - 1, '=') || tokens.is(i - 1, '@'); // a definer
            if (!named && CHANGED_AS_A_WHOLE.contains(tokens.upper(i))) {
                if (tokens.is(i, "VIEW") && hasEffects(tokens, i)) {
                    return new Classification.Unsupported(
                            "a view with named locks or values of sequences");
                }
                break;
            }
            if (!named && UNSUPPORTED_IN_DDL.contains(tokens.upper(i))) {
                return new Classification.Unsupported(tokens.upper(0) + " " + tokens.upper(i));
            }
        }
        for (int i = 1; i < tokens.size() - 1; i++) {
            boolean file = tokens.is(i + 1, "TABLESPACE") || tokens.is(i + 1, "PARTITION");
            if (file && OF_FILES.contains(tokens.upper(i))) {
                return new Classification.Unsupported(tokens.upper(i) + " TABLESPACE");
            }
            if (tokens.are(i, "WITHOUT", "VALIDATION")) { // no key finds what lies elsewhere
                return new Classification.Unsupported("WITHOUT VALIDATION");
            }
        }
        SchemaStatement statement = SchemaStatement.of(tokens, statements);
        return new Classification.SchemaChange(statement.names(), SchemaNeeds.of(statement));
    }

    private static boolean hasEffects(Tokens view, int from) {
        for (int i = from; i < view.size(); i++) {
            boolean called =
                    view.is(i + 1, '(')
                            && NOT_IN_VIEWS.contains(view.name(i).toUpperCase(Locale.ROOT));
            if (called || view.are(i, "NEXT", "VALUE", "FOR")) {
                return true;
            }
        }
        return false;
    }

    private Classification query(Tokens tokens) {
        Reading reading = statements.read(tokens);
        if (!reading.understood()) {
            return new Classification.Read(
                    Set.of(),
                    reading.locking(),
                    List.of(),
                    reading.leftOut(),
                    false,
                    false,
                    StatementNeeds.of(reading));
        }
        if (reading.systemTables()) {
            return new Classification.Information(true);
        }
        boolean stored = reading.query() == null && StoredCalls.in(tokens, mariaDb);
        if (reading.reads().isEmpty() && !stored) {
            return new Classification.Information(false); // there is nothing to lock
        }
        return new Classification.Read(
                stored ? Set.of() : reading.reads(), // nobody knows of which tables
                reading.locking(),
                reading.query() == null ? List.of() : headings(reading.query()),
                reading.query() == null
                        ? reading.leftOut()
                        : Support.leftToBackend(reading.query()),
                reading.query() != null && Support.needsDescription(reading.query()),
                reading.query() != null && Support.computesTexts(reading.query()),
                StatementNeeds.of(reading));
    }

    private static List<String> headings(Query query) {
        return switch (query) {
            case Query.Union union -> headings(union.left());
            case Query.Select select ->
                    select.items().stream()
                            .filter(Query.Shown.class::isInstance)
                            .map(Query.Shown.class::cast)
                            .filter(shown -> !(shown.expression() instanceof Expression.Constant))
                            .map(Query.Shown::heading)
                            .filter(heading -> !heading.isEmpty())
                            .toList();
        };
    }

    private Classification update(Tokens whole, Tokens tokens) {
        Reading reading = statements.read(whole);
        Set<TableName> first = firstTable(tokens);
        boolean only = !reading.understood() && namesOne(tokens);
        return new Classification.Update(
                reading.understood() ? reading.reads() : first,
                only ? first : reading.changes(),
                StatementNeeds.of(reading),
                reading.shows(),
                reading.shows() && reading.change() == null);
    }

    /// Whether a statement that the parser does not understand is an INSERT or a REPLACE of values,
    /// which names no other table.
    private static boolean namesOne(Tokens tokens) {
        if (!tokens.is(0, "INSERT") && !tokens.is(0, "REPLACE")) {
            return false;
        }
        for (int i = 1; i < tokens.size(); i++) {
            if (OF_QUERIES.contains(tokens.upper(i))) {
                return false;
            }
        }
        return true;
    }

    /// Of a statement that the parser does not understand: its class, and so its master, is that of
    /// its first table.
    private static Set<TableName> firstTable(Tokens tokens) {
        int at = 0;
        while (BEFORE_THE_TABLE.contains(tokens.upper(at))) {
            at++;
        }
        if (at == 0 || !tokens.isName(at)) {
            return Set.of();
        }
        return Set.of(
                tokens.is(at + 1, '.') && tokens.isName(at + 2)
                        ? new TableName(tokens.name(at), tokens.name(at + 2))
                        : new TableName("", tokens.name(at)));
    }
}
