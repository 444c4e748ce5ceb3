package org.quiredb.scheduler.session.state;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.Condition;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.SessionModes;
import org.quiredb.common.mysql.ServerStatus;
import org.quiredb.scheduler.account.Login;
import org.quiredb.scheduler.characters.CharacterSet;
import org.quiredb.scheduler.characters.CharacterSets;
import org.quiredb.scheduler.fallback.Snapshot;
import org.quiredb.scheduler.route.Losses;
import org.quiredb.sql.command.SessionTerms.Known;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// What a client has set, and where its transaction stands.
///
/// Longer than most: all that a session keeps from one statement to the next has one owner.
///
/// Threads: owned by the session's thread, but for reading the login and the current database.
public final class SessionState {
    /// Longer a client cannot have its statements wait for a lock: they are given up then.
    public static final long LONGEST_LOCK_WAIT_MILLIS = 240_000;

    private static final String NO_ESCAPES = "NO_BACKSLASH_ESCAPES";

    private static final int MICRO_DIGITS = 6;

    private static final Set<String> OF_FUNCTIONS =
            Set.of("div_precision_increment", "lc_time_names", "default_week_format");
    private static final Set<String> OF_TEXTS =
            Set.of("collation_connection", "character_set_connection");

    /// What SET NAMES ends with where it names no collation, nor bytes.
    private static final Set<String> USUAL_NAMES = Set.of("utf8mb4", "utf8", "utf8mb3", "default");

    /// What {@link CharacterSets} has.
    private static final Set<String> OF_CHARACTERS =
            Set.of(
                    "names",
                    "character_set_client",
                    "character_set_results",
                    "character_set_connection",
                    "collation_connection");

    private static final Set<String> NO_NOTES = Set.of("0", "OFF", "'OFF'", "FALSE");

    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Kept kept;
    private volatile Login login;
    private volatile String database = "";
    private boolean autocommit = true;
    private boolean readOnlyByDefault;
    private boolean nextReadOnly;
    private boolean nextReadWrite;
    private final Isolation least;
    private Isolation isolationByDefault = Isolation.DEFAULT;
    private @Nullable Isolation nextIsolation;
    private Isolation isolation = Isolation.DEFAULT;
    private @Nullable ReadView snapshot;
    private final Diagnostics diagnostics = new Diagnostics();
    private final Losses losses = new Losses();
    private final UserVariables variables;
    private long lockWaitMillis = ReplicaRequest.USUAL_WAIT;
    private long tableWaitMillis = LONGEST_LOCK_WAIT_MILLIS;
    private long statementLimitMillis;
    private boolean limitsAll;
    private boolean safeUpdates;
    private boolean limitsRows;
    private long momentMicros;
    private long nextInsertId;
    private SessionModes modes = SessionModes.USUAL;
    private boolean quotesNames;
    private boolean escapes = true;
    private String otherMode = "";

    /// What the client has said when it came; null for UTF-8.
    private @Nullable CharacterSets spoken;

    /// Null where everything is UTF-8.
    private @Nullable CharacterSets characterSets;

    private CharacterSet characters = CharacterSet.UTF8;
    private @Nullable Boolean zoned;
    private Transaction transaction = new Transaction.None();

    /// @param least the isolation that every transaction has at least
    public SessionState(Login login, Kept kept, Isolation least) {
        this.least = least;
        this.login = login;
        this.kept = kept;
        this.variables = new UserVariables(kept);
    }

    /// Of the client's present statement.
    public Losses losses() {
        return losses;
    }

    public Login login() {
        return login;
    }

    public void become(Login other) {
        login = other;
        database = "";
    }

    public String database() {
        return database;
    }

    public void database(String name) {
        database = name;
    }

    /// Tables with the current database where they are without one.
    ///
    /// @throws QuireException when there is none
    public Set<TableName> qualified(Set<TableName> tables) {
        Set<TableName> qualified = new HashSet<>();
        tables.forEach(table -> qualified.add(qualified(table)));
        return qualified;
    }

    public TableName qualified(TableName table) {
        TableName full = table.in(database);
        if (full.database().isEmpty()) {
            throw new QuireException(ErrorCode.NO_DATABASE_SELECTED, "No database selected");
        }
        return full;
    }

    public boolean autocommit() {
        return autocommit;
    }

    public void autocommit(boolean on) {
        autocommit = on;
    }

    public void readOnlyByDefault(boolean readOnly) {
        readOnlyByDefault = readOnly;
    }

    /// SET TRANSACTION, without SESSION: for the next one only.
    public void next(boolean readOnly) {
        nextReadOnly = readOnly;
        nextReadWrite = !readOnly;
    }

    public void isolationByDefault(Isolation level) {
        isolationByDefault = level;
    }

    /// SET TRANSACTION, without SESSION: for the next one only.
    public void next(Isolation level) {
        nextIsolation = level;
    }

    /// Whether anything is set for the next transaction only.
    public boolean setsNext() {
        return nextReadOnly || nextReadWrite || nextIsolation != null;
    }

    /// Nothing is set for the next transaction any more.
    public void forgetNext() {
        nextReadOnly = false;
        nextReadWrite = false;
        nextIsolation = null;
    }

    /// Of the transaction that was begun last.
    public Isolation isolation() {
        return isolation;
    }

    /// What the update transaction's plain reads see, from the first one on.
    public @Nullable ReadView snapshot() {
        return snapshot;
    }

    /// Where the transaction has a state of the backend already, which may have rows locked there.
    public @Nullable Snapshot backendSnapshot() {
        return snapshot == null ? null : snapshot.snapshot();
    }

    /// @param view closed with the transaction
    public void snapshot(ReadView view) {
        snapshot = view;
    }

    /// Leaves it to the caller to close, if there is one.
    public @Nullable ReadView takeSnapshot() {
        ReadView taken = snapshot;
        snapshot = null;
        return taken;
    }

    /// A transaction is begun: whether one that does not say is read-only. What was set for the
    /// next one is used up.
    public boolean takeReadOnly() {
        Isolation asked = nextIsolation == null ? isolationByDefault : nextIsolation;
        isolation = asked.compareTo(least) < 0 ? least : asked;
        boolean readOnly = isNextReadOnly();
        forgetNext();
        return readOnly;
    }

    /// Whether the next transaction that does not say is read-only.
    public boolean isNextReadOnly() {
        return nextReadOnly || (readOnlyByDefault && !nextReadWrite);
    }

    public Diagnostics diagnostics() {
        return diagnostics;
    }

    public UserVariables variables() {
        return variables;
    }

    public Transaction transaction() {
        return transaction;
    }

    /// A snapshot ends with its transaction.
    public void transaction(Transaction next) {
        transaction = next;
        ReadView left = next instanceof Transaction.None ? takeSnapshot() : null;
        if (left != null) {
            left.close();
        }
    }

    public long value(Known known) {
        return diagnostics.value(known, inTransaction());
    }

    public boolean inTransaction() {
        return !(transaction instanceof Transaction.None);
    }

    /// Whether the backend does not see by itself what its transaction has changed.
    public boolean changed() {
        return transaction instanceof Transaction.Update update && update.changed();
    }

    /// Remembers an assignment, to be made on backend connections that work for this session.
    ///
    /// @throws QuireException when the session has set too much
    public void remember(String variable, String assignment) {
        String before = settings.get(variable);
        kept.add(Kept.of(assignment) - (before == null ? 0 : Kept.of(before)));
        settings.remove(variable);
        settings.put(variable, assignment);
    }

    /// Without the notes of a statement, where the session wants none.
    public List<Condition> said(List<Condition> conditions) {
        Tokens notes = Tokens.of(settings.getOrDefault("sql_notes", ""));
        String value = notes.size() == 0 ? "" : notes.text(notes.size() - 1, notes.size());
        return NO_NOTES.contains(value.toUpperCase(Locale.ROOT))
                ? conditions.stream().filter(one -> !one.level().equals(Condition.NOTE)).toList()
                : conditions;
    }

    /// Whether the session has set the variable.
    public boolean sets(String variable) {
        return settings.containsKey(variable);
    }

    /// Whether functions may give, or show, something else than without what the session has set.
    ///
    /// @param texts whether they compute any
    public boolean computesOtherwise(boolean texts) {
        return settings.keySet().stream().anyMatch(OF_FUNCTIONS::contains)
                || (texts && computesTextsOtherwise());
    }

    private boolean computesTextsOtherwise() {
        String names = settings.getOrDefault("names", "utf8mb4").replace("'", "");
        return settings.keySet().stream().anyMatch(OF_TEXTS::contains)
                || USUAL_NAMES.stream().noneMatch(names.toLowerCase(Locale.ROOT)::endsWith);
    }

    /// SET statements for what speaks UTF-8, with escapes, in the session's name.
    public List<String> settings() {
        List<String> assignments = shownSettings();
        CharacterSets sets = characterSets;
        if (sets != null) {
            assignments.replaceAll(assignment ->
                    assignment.equals(sets.assignment()) ? sets.assignmentOfUtf8() : assignment);
        }
        if (!escapes) {
            assignments.replaceAll(
                    assignment -> assignment.replaceFirst(NO_ESCAPES + ",|,?" + NO_ESCAPES, ""));
        }
        return assignments;
    }

    /// As {@link #settings}, with the client's own character sets and modes.
    public List<String> shownSettings() {
        return new ArrayList<>(settings.values());
    }

    /// The client speaks this set from the beginning on.
    public void speaks(@Nullable CharacterSets sets) {
        spoken = sets;
        speaksUtf8();
        if (sets != null) {
            characterSets(sets);
        }
    }

    /// @param sets those of {@link CharacterSet}
    public void characterSets(CharacterSets sets) {
        OF_CHARACTERS.forEach(this::forget);
        remember("names", sets.assignment());
        characterSets = sets;
        characters = sets.ofClient();
    }

    /// Null where everything is UTF-8.
    public @Nullable CharacterSets characterSets() {
        return characterSets;
    }

    /// Whether a text of the client's has other bytes in the session than in the tier.
    public boolean textsDiffer() {
        CharacterSets sets = characterSets;
        return sets != null && sets.computesOtherwise();
    }

    /// Of what the client sends.
    public CharacterSet characters() {
        return characters;
    }

    /// Everything of it is UTF-8, until it sets something else.
    public void speaksUtf8() {
        if (characterSets != null) {
            forget("names");
            withoutCharacterSets();
        }
    }

    private void withoutCharacterSets() {
        characterSets = null;
        characters = CharacterSet.UTF8;
    }

    private void forget(String variable) {
        String before = settings.remove(variable);
        kept.add(before == null ? 0 : -Kept.of(before));
    }

    /// What backend connections that work for the session are to have as variables: names, and
    /// expressions that depend on nothing.
    public Map<String, String> values() {
        Map<String, String> values = variables.expressions();
        long id = value(Known.LAST_INSERT_ID);
        if (id != 0) {
            values.put("last_insert_id", Long.toUnsignedString(id));
        }
        if (nextInsertId != 0) {
            values.put("insert_id", Long.toUnsignedString(nextInsertId));
        }
        return values;
    }

    /// How long a statement may run, 0 for as long as it likes.
    ///
    /// @param changes it changes something
    public long statementLimitMillis(boolean changes) {
        return changes && !limitsAll ? 0 : statementLimitMillis;
    }

    public long lockWaitMillis() {
        return lockWaitMillis;
    }

    public void lockWaitMillis(long millis) {
        lockWaitMillis = millis;
    }

    /// For tables that others have locked as a whole, or want to lock so.
    public long tableWaitMillis() {
        return tableWaitMillis;
    }

    public void tableWaitMillis(long millis) {
        tableWaitMillis = millis;
    }

    /// Runs something that waits for locks so long.
    public void waiting(long millis, Runnable action) {
        waiting(millis, millis, action);
    }

    private void waiting(long millis, long forTables, Runnable action) {
        long before = lockWaitMillis;
        long beforeForTables = tableWaitMillis;
        lockWaitMillis(millis);
        tableWaitMillis(forTables);
        try {
            action.run();
        } finally {
            lockWaitMillis(before);
            tableWaitMillis(beforeForTables);
        }
    }

    /// Runs something that may set more for the session, which then has what it had before. Of
    /// character sets, transactions and the account nothing is given back.
    public void restored(Runnable action) {
        Map<String, String> before = new LinkedHashMap<>(settings);
        SessionModes modesBefore = modes;
        boolean quotesBefore = quotesNames;
        boolean escapesBefore = escapes;
        String otherBefore = otherMode;
        Boolean zonedBefore = zoned;
        boolean safeBefore = safeUpdates;
        boolean limitsBefore = limitsRows;
        long momentBefore = momentMicros;
        try {
            waiting(
                    lockWaitMillis,
                    tableWaitMillis,
                    () -> limited(statementLimitMillis, limitsAll, action));
        } finally {
            List.copyOf(settings.keySet()).forEach(this::forget);
            before.forEach(this::remember);
            modes = modesBefore;
            quotesNames = quotesBefore;
            escapes = escapesBefore;
            otherMode = otherBefore;
            zoned = zonedBefore;
            safeUpdates = safeBefore;
            limitsRows = limitsBefore;
            momentMicros = momentBefore;
        }
    }

    /// Runs something that may set another sql_mode, but for which the session has it no more
    /// afterwards.
    public void keepingSqlMode(Runnable action) {
        String before = settings.get("sql_mode");
        SessionModes modesBefore = modes;
        boolean quotesBefore = quotesNames;
        boolean escapesBefore = escapes;
        String otherBefore = otherMode;
        try {
            action.run();
        } finally {
            forget("sql_mode");
            if (before != null) {
                remember("sql_mode", before);
            }
            modes =
                    new SessionModes(
                            modes.foreignKeysUnchecked(),
                            modesBefore.zeroIsAValue(),
                            modes.checksUnchecked(),
                            modesBefore.noZeroDates(),
                            modesBefore.checked());
            quotesNames = quotesBefore;
            escapes = escapesBefore;
            otherMode = otherBefore;
        }
    }

    /// @param all not only what reads
    public void limitStatements(long millis, boolean all) {
        statementLimitMillis = millis;
        limitsAll = all;
    }

    /// Runs something with another limit, of all statements.
    public void limited(long millis, Runnable action) {
        limited(millis, true, action);
    }

    private void limited(long millis, boolean ofAll, Runnable action) {
        long before = statementLimitMillis;
        boolean all = limitsAll;
        limitStatements(millis, ofAll);
        try {
            action.run();
        } finally {
            limitStatements(before, all);
        }
    }

    /// sql_safe_updates
    public boolean safeUpdates() {
        return safeUpdates;
    }

    public void safeUpdates(boolean on) {
        safeUpdates = on;
    }

    /// Whether there is an sql_select_limit.
    public boolean limitsRows() {
        return limitsRows;
    }

    public void limitsRows(boolean on) {
        limitsRows = on;
    }

    /// timestamp, in microseconds since 1970; 0 for the clock's.
    public void moment(long micros) {
        momentMicros = micros;
        if (micros == 0) {
            forget("timestamp");
        } else {
            remember("timestamp", "SET timestamp = " + BigDecimal.valueOf(micros, MICRO_DIGITS));
        }
    }

    /// What NOW(6) is, in microseconds since 1970.
    long momentMicros() {
        return momentMicros == 0
                ? ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())
                : momentMicros;
    }

    /// insert_id: the first AUTO_INCREMENT value that the next INSERT generates, if it does; 0 for
    /// the table's next.
    public void nextInsertId(long id) {
        nextInsertId = id;
    }

    public long nextInsertId() {
        return nextInsertId;
    }

    /// A text of the client's as it is to be read, whatever the session's modes are.
    public String asRead(String sql) {
        return Tokens.byDefault(sql, quotesNames, escapes);
    }

    /// Whether a backslash begins an escape in the client's strings. Without, the backend is told
    /// none of it: whatever it is sent has escapes.
    public boolean escapes() {
        return escapes;
    }

    public void escapes(boolean on) {
        escapes = on;
    }

    /// ANSI_QUOTES
    public void quotesNames(boolean on) {
        quotesNames = on;
    }

    /// A mode in which everything comes out as on the backend alone; empty for none.
    public String otherMode() {
        return otherMode;
    }

    public void otherMode(String mode) {
        otherMode = mode;
    }

    /// Whether it has set another time zone than the tier's; null where it has set none.
    public @Nullable Boolean zoned() {
        return zoned;
    }

    public void zoned(boolean other) {
        zoned = other;
    }

    public SessionModes modes() {
        return modes;
    }

    public void modes(SessionModes next) {
        modes = next;
    }

    public int statusFlags(boolean moreResults) {
        int flags = autocommit ? ServerStatus.AUTOCOMMIT : 0;
        if (inTransaction()) {
            flags |= ServerStatus.IN_TRANSACTION;
        }
        if (transaction instanceof Transaction.ReadOnly
                || (transaction instanceof Transaction.Open(boolean readOnly) && readOnly)) {
            flags |= ServerStatus.IN_READ_ONLY_TRANSACTION;
        }
        if (!escapes) {
            flags |= ServerStatus.NO_BACKSLASH_ESCAPES;
        }
        return moreResults ? flags | ServerStatus.MORE_RESULTS : flags;
    }

    /// COM_RESET_CONNECTION: as after connecting, but for the database.
    public void reset() {
        settings.values().forEach(assignment -> kept.add(-Kept.of(assignment)));
        settings.clear();
        withoutCharacterSets();
        modes = SessionModes.USUAL;
        quotesNames = false;
        escapes = true;
        otherMode = "";
        zoned = null;
        autocommit = true;
        readOnlyByDefault = false;
        isolationByDefault = Isolation.DEFAULT;
        forgetNext();
        diagnostics.reset();
        variables.clear();
        lockWaitMillis = ReplicaRequest.USUAL_WAIT;
        tableWaitMillis = LONGEST_LOCK_WAIT_MILLIS;
        statementLimitMillis = 0;
        limitsAll = false;
        safeUpdates = false;
        limitsRows = false;
        momentMicros = 0;
        nextInsertId = 0;
        speaks(spoken);
    }
}
