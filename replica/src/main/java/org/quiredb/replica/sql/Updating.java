package org.quiredb.replica.sql;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.h2.command.Prepared;
import org.h2.command.dml.DataChangeStatement;
import org.h2.command.query.Select;
import org.h2.message.DbException;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.LoggedStatement;
import org.quiredb.replica.service.Engine.Executed;

/// A statement of an update transaction: a query, or a change with what the log is to hold of it.
final class Updating implements Execution {
    private static final long UNCHECKED = -1;

    private enum Kind {
        INSERT,
        UPSERT,
        REPLACE,
        UPDATE,
        DELETE
    }

    @Override
    public Executed run(
            Prepared prepared,
            Statement statement,
            StatementCall call,
            Instant now,
            PacketCounter parts,
            Catalogue catalogue) {
        if (prepared.isQuery() && Dialect.query(call.sql())) {
            if (prepared instanceof Select select && select.getForUpdate() != null) {
                statement.lockEveryTable();
            }
            return new Reading().run(prepared, statement, call, now, parts, catalogue);
        }
        if (!(prepared instanceof DataChangeStatement change)
                || !(change.getTable() instanceof QuireTable table)) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET, "Quire doesn't run this in an update transaction");
        }
        Kind kind = kind(call.sql());
        statement.target(
                table.layout().tableId(),
                kind == Kind.UPDATE || kind == Kind.DELETE,
                kind == Kind.INSERT && Dialect.startsWith(call.sql(), "insert ignore"));
        return executed(kind, prepared.update(), statement, call, now);
    }

    private static Kind kind(String sql) {
        String start = sql.stripLeading().toLowerCase(Locale.ROOT);
        if (start.startsWith("insert")) {
            return Dialect.contains(sql, "on\\s+duplicate\\s+key") ? Kind.UPSERT : Kind.INSERT;
        }
        if (start.startsWith("replace")) {
            return Kind.REPLACE;
        }
        boolean delete = start.startsWith("delete");
        if ((!delete && !start.startsWith("update")) || Dialect.contains(sql, "limit")) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire doesn't run LIMIT or this statement in an update transaction");
        }
        return delete ? Kind.DELETE : Kind.UPDATE;
    }

    private static Executed executed(
            Kind kind, long count, Statement done, StatementCall call, Instant now) {
        long affected =
                switch (kind) {
                    case INSERT -> done.inserted();
                    case UPSERT -> done.inserted() + 2 * done.changed();
                    case REPLACE -> done.inserted() + 2 * done.found();
                    case UPDATE -> call.foundRows() ? count : done.changed();
                    case DELETE -> count;
                };
        long found =
                switch (kind) {
                    case INSERT -> done.inserted();
                    case UPDATE, DELETE -> count;
                    case UPSERT, REPLACE -> UNCHECKED;
                };
        String info =
                kind == Kind.UPDATE
                        ? "Rows matched: "
                                + count
                                + "  Changed: "
                                + done.changed()
                                + "  Warnings: 0"
                        : "";
        LoggedStatement logged =
                new LoggedStatement(
                        call.database(),
                        Dialect.inline(call.sql(), call.values()),
                        now.getEpochSecond() * 1_000_000,
                        done.firstGenerated(),
                        found);
        return new Executed(
                new ReplicaReply.Updated(
                        affected, done.insertId(), 0, info, VersionVector.EMPTY, 0),
                List.of(logged));
    }

    @Override
    public Executed failed(DbException error, Statement statement, StatementCall call) {
        QuireException ours = Errors.ours(error);
        if (ours != null) {
            throw ours;
        }
        return new Executed(Errors.failed(error, statement, call.database()), List.of());
    }
}
