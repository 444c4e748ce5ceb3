package org.quiredb.replica.h2.session;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.h2.command.Prepared;
import org.h2.engine.SessionLocal;
import org.h2.expression.Parameter;
import org.h2.jdbc.JdbcConnection;
import org.h2.value.Value;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.ResultSetEncoder;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.binding.TableChange;
import org.quiredb.replica.h2.statement.Statement;
import org.quiredb.replica.h2.value.Values;

/// A session of H2 with the statements that it has prepared. Plans belong to a session and to a
/// state of the catalogue.
///
/// Threads: one at a time.
public final class PooledSession {
    private static final int STATEMENTS = 256;

    private final H2Sessions home;
    private final JdbcConnection connection;
    private final SessionLocal session;
    private final ResultSetEncoder encoder = new ResultSetEncoder(part -> {}, false, 0);
    private long catalogue;
    private final Map<String, Plan> statements =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Plan> eldest) {
                    return size() > STATEMENTS;
                }
            };

    PooledSession(H2Sessions home, JdbcConnection connection) {
        this.home = home;
        this.connection = connection;
        this.session = (SessionLocal) connection.getSession();
    }

    public SessionLocal session() {
        return session;
    }

    /// Greater than every id at which a result was computed before.
    public long nextModificationId() {
        return session.getDatabase().getNextModificationDataId();
    }

    public void giveBack() {
        home.giveBack(this);
    }

    /// Instead of giving it back.
    public void end() {
        home.end(this);
    }

    public Plan plan(TableChange.Part text, long catalogueVersion) {
        if (catalogue != catalogueVersion) {
            statements.clear();
            catalogue = catalogueVersion;
        }
        String key = text.sql();
        Plan plan = statements.get(key);
        if (plan == null || !plan.begin()) {
            boolean executes = Statement.CURRENT.isBound();
            plan =
                    new Plan(
                            session.prepare(key),
                            executes ? Statement.current().planned() : Map.of());
            plan.begin();
            if (executes) { // a plan without the values of an execution is not worth keeping
                statements.put(key, plan);
            }
        }
        return plan;
    }

    /// The session's own memory for results; only its running statement may use it.
    public ResultSetEncoder encoder(Consumer<byte[]> sink, boolean binary, int statusFlags) {
        encoder.restart(sink, binary, statusFlags);
        return encoder;
    }

    public static void bind(@Nullable Prepared prepared, List<SqlValue> values) {
        ArrayList<Parameter> declared = prepared == null ? null : prepared.getParameters();
        List<Parameter> parameters = declared == null ? List.of() : declared;
        int count = parameters.size();
        if (count != values.size()) {
            throw new QuireException(
                    ErrorCode.UNKNOWN_ERROR,
                    values.size() + " values for " + count + " parameters");
        }
        for (int i = 0; i < count; i++) {
            Value value = Values.toH2(values.get(i));
            parameters.get(i).setValue(value);
        }
    }

    void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("H2 does not close a session", e);
        }
    }
}
