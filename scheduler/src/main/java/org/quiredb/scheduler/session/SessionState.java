package org.quiredb.scheduler.session;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.SessionModes;
import org.quiredb.common.mysql.ServerStatus;
import org.quiredb.scheduler.account.Login;

/// What a client has set, and where its transaction stands.
///
/// Threads: owned by the session's thread, but for reading the login.
final class SessionState {
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Kept kept;
    private volatile Login login;
    private String database = "";
    private boolean autocommit = true;
    private boolean readOnlyByDefault;
    private boolean nextReadOnly;
    private boolean nextReadWrite;
    private long lastInsertId;
    private long statementLimitMillis;
    private boolean limitsAll;
    private SessionModes modes = SessionModes.USUAL;
    private Transaction transaction = new Transaction.None();

    SessionState(Login login, Kept kept) {
        this.login = login;
        this.kept = kept;
    }

    Login login() {
        return login;
    }

    void become(Login other) {
        login = other;
        database = "";
    }

    String database() {
        return database;
    }

    void database(String name) {
        database = name;
    }

    boolean autocommit() {
        return autocommit;
    }

    void autocommit(boolean on) {
        autocommit = on;
    }

    void readOnlyByDefault(boolean readOnly) {
        readOnlyByDefault = readOnly;
    }

    /// SET TRANSACTION, without SESSION: for the next one only.
    void next(boolean readOnly) {
        nextReadOnly = readOnly;
        nextReadWrite = !readOnly;
    }

    /// Whether a transaction that does not say is read-only; what was set for the next one is used
    /// up.
    boolean takeReadOnly() {
        boolean readOnly = nextReadOnly || (readOnlyByDefault && !nextReadWrite);
        nextReadOnly = false;
        nextReadWrite = false;
        return readOnly;
    }

    long lastInsertId() {
        return lastInsertId;
    }

    void lastInsertId(long id) {
        lastInsertId = id;
    }

    Transaction transaction() {
        return transaction;
    }

    void transaction(Transaction next) {
        transaction = next;
    }

    boolean inTransaction() {
        return !(transaction instanceof Transaction.None);
    }

    /// Remembers an assignment, to be made on backend connections that work for this session.
    ///
    /// @throws QuireException when the session has set too much
    void remember(String variable, String assignment) {
        String before = settings.get(variable);
        kept.add(Kept.of(assignment) - (before == null ? 0 : Kept.of(before)));
        settings.remove(variable);
        settings.put(variable, assignment);
    }

    List<String> settings() {
        List<String> all = new ArrayList<>(settings.values());
        if (lastInsertId != 0) {
            all.add("SET last_insert_id = " + Long.toUnsignedString(lastInsertId));
        }
        return all;
    }

    /// How long a statement may run, 0 for as long as it likes.
    ///
    /// @param changes it changes something
    long statementLimitMillis(boolean changes) {
        return changes && !limitsAll ? 0 : statementLimitMillis;
    }

    /// @param all not only what reads
    void limitStatements(long millis, boolean all) {
        statementLimitMillis = millis;
        limitsAll = all;
    }

    SessionModes modes() {
        return modes;
    }

    void modes(SessionModes next) {
        modes = next;
    }

    int statusFlags(boolean moreResults) {
        int flags = autocommit ? ServerStatus.AUTOCOMMIT : 0;
        if (inTransaction()) {
            flags |= ServerStatus.IN_TRANSACTION;
        }
        if (transaction instanceof Transaction.ReadOnly
                || (transaction instanceof Transaction.Open(boolean readOnly) && readOnly)) {
            flags |= ServerStatus.IN_READ_ONLY_TRANSACTION;
        }
        return moreResults ? flags | ServerStatus.MORE_RESULTS : flags;
    }

    /// COM_RESET_CONNECTION: as after connecting, but for the database.
    void reset() {
        settings.values().forEach(assignment -> kept.add(-Kept.of(assignment)));
        settings.clear();
        modes = SessionModes.USUAL;
        autocommit = true;
        readOnlyByDefault = false;
        nextReadOnly = false;
        nextReadWrite = false;
        lastInsertId = 0;
        statementLimitMillis = 0;
        limitsAll = false;
    }
}
