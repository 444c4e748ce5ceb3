package org.quiredb.replica.h2;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.h2.command.Prepared;
import org.h2.message.DbException;
import org.h2.util.DateTimeUtils;
import org.h2.util.TimeZoneProvider;
import org.h2.value.ValueTimestampTimeZone;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.replica.binding.BoundStatement;
import org.quiredb.replica.engine.StatementMemory;
import org.quiredb.replica.h2.catalogue.H2Catalogue;
import org.quiredb.replica.h2.session.H2Sessions;
import org.quiredb.replica.h2.session.Plan;
import org.quiredb.replica.h2.session.PooledSession;
import org.quiredb.replica.h2.session.ResultColumns;
import org.quiredb.replica.h2.statement.KeptRows;
import org.quiredb.replica.h2.statement.Statement;
import org.quiredb.replica.page.PageAccess;

/// Has H2 run, plan and describe statements, each on a session of its own.
///
/// A statement is bound there, where whatever its text leads to ends with its session.
///
/// Threads: any.
public final class H2Statements {
    private final H2Catalogue catalogue;
    private final StatementMemory memory;
    private final Clock clock;
    private volatile Now now = Now.at(0);

    public H2Statements(H2Catalogue catalogue, StatementMemory memory, Clock clock) {
        this.catalogue = catalogue;
        this.memory = memory;
        this.clock = clock;
    }

    /// @throws RefusedByH2Exception where H2 does not take or not finish it
    public ReplicaReply read(
            PageAccess access,
            StatementCall call,
            Consumer<byte[]> parts,
            Supplier<BoundStatement> bind) {
        try {
            return run(access, call, parts, bind, Selecting.INSTANCE);
        } catch (DbException e) {
            throw H2Errors.outside(e);
        }
    }

    /// A statement of an update transaction.
    public ReplicaReply update(
            PageAccess access,
            StatementCall call,
            Consumer<byte[]> parts,
            Supplier<BoundStatement> bind) {
        return run(access, call, parts, bind, new Updating());
    }

    /// Has H2 plan a read with the values of an execution.
    ///
    /// @throws RefusedByH2Exception where H2 does not take it
    public <T extends @Nullable Object> T planned(
            BoundStatement bound, PageAccess access, StatementCall call, Function<Plan, T> use) {
        try {
            return onSession(session -> {
                Statement statement =
                        new Statement(
                                access,
                                session.nextModificationId(),
                                call.values(),
                                call.modes(),
                                instant(call));
                return ScopedValue.where(Statement.CURRENT, statement)
                        .call(() -> {
                            H2Sessions.fixNow(session.session(), now(call).value());
                            statement.binds(bound);
                            Plan plan = session.plan(bound.queryText(), catalogue.version());
                            plan.end();
                            return use.apply(plan);
                        });
            });
        } catch (DbException e) {
            StopSignal.current().check(); // H2 was told to end
            throw H2Errors.outside(e);
        }
    }

    /// The parameters and columns of a query.
    ///
    /// @throws RefusedByH2Exception where H2 does not take it
    public ReplicaReply.Described describe(Supplier<BoundStatement> bind) {
        try {
            return onSession(session -> {
                BoundStatement bound = bind.get();
                Plan plan = session.plan(bound.queryText(), catalogue.version());
                plan.end();
                return described(plan.prepared(), bound);
            });
        } catch (DbException e) {
            StopSignal.current().check();
            throw new RefusedByH2Exception(e);
        }
    }

    private ReplicaReply.Described described(Prepared prepared, BoundStatement bound) {
        Supplier<byte[]> parameter =
                ColumnMetadata.expression("?", 63, 0, MySqlType.VAR_STRING, 0, 0)::payload;
        List<byte[]> parameters = new ArrayList<>();
        int count = prepared.getParameters() == null ? 0 : prepared.getParameters().size();
        for (int i = 0; i < count; i++) {
            parameters.add(parameter.get());
        }
        List<byte[]> columns = new ArrayList<>();
        if (prepared.isQuery()) {
            ResultColumns.of(prepared.queryMeta(), catalogue.byName(), bound.shown())
                    .forEach(c -> columns.add(c.payload()));
        }
        return new ReplicaReply.Described(parameters, columns);
    }

    /// Plans something while somebody wants it.
    ///
    /// @throws QuireException NESTED_TOO_DEEP when the stack ends, of what may have left the
    ///   session in any state
    private <T extends @Nullable Object> T onSession(Function<PooledSession, T> work) {
        StopSignal stop = StopSignal.current();
        stop.check();
        PooledSession session = catalogue.session();
        boolean broken = false;
        try (StopSignal.Watch _ = stop.watch(session.session()::cancel)) {
            return work.apply(session);
        } catch (StackOverflowError e) {
            broken = true;
            throw nestedTooDeep(e);
        } finally {
            if (broken || stop.requested()) {
                session.end();
            } else {
                session.giveBack();
            }
        }
    }

    private static QuireException nestedTooDeep(StackOverflowError error) {
        return new QuireException(
                ErrorCode.NESTED_TOO_DEEP,
                "Thread stack overrun: the statement is nested too deep",
                error);
    }

    /// Runs a statement with its transaction bound, on a session of its own.
    private ReplicaReply run(
            PageAccess access,
            StatementCall call,
            Consumer<byte[]> parts,
            Supplier<BoundStatement> bind,
            Execution execution) {
        StopSignal stop = StopSignal.current();
        stop.check();
        boolean broken = false;
        PooledSession session = catalogue.session();
        try {
            Statement statement =
                    new Statement(
                            access,
                            session.nextModificationId(),
                            call.values(),
                            call.modes(),
                            instant(call));
            statement.generatesFrom(call.insertId());
            try (StopSignal.Watch _ = statement.stop().watch(session.session()::cancel);
                    StatementMemory.Account account = memory.open()) {
                statement.countsIn(new KeptRows(session.session(), account));
                return ScopedValue.where(Statement.CURRENT, statement)
                        .call(() -> execute(session, statement, call, parts, bind, execution));
            } finally {
                broken = statement.ends();
            }
        } catch (StackOverflowError e) {
            broken = true;
            throw nestedTooDeep(e);
        } finally {
            if (broken) {
                session.end();
            } else {
                session.giveBack();
            }
        }
    }

    private ReplicaReply execute(
            PooledSession session,
            Statement statement,
            StatementCall call,
            Consumer<byte[]> parts,
            Supplier<BoundStatement> bind,
            Execution execution) {
        H2Sessions.fixNow(session.session(), now(call).value());
        try {
            BoundStatement bound = bind.get();
            catalogue.requireServed(bound.tables());
            statement.binds(bound);
            bound.requireForms(call.values());
            return execution.run(session, statement, bound, call, parts, catalogue);
        } catch (DbException e) {
            statement.check();
            return execution.failed(e, statement, call);
        }
    }

    private Instant instant(StatementCall call) {
        return call.nowMicros() == 0
                ? clock.instant().truncatedTo(ChronoUnit.MICROS)
                : Instant.EPOCH.plus(call.nowMicros(), ChronoUnit.MICROS);
    }

    /// In whole seconds, as MySQL's NOW(), so that many statements share one.
    private Now now(StatementCall call) {
        Now last = now;
        long second = instant(call).getEpochSecond();
        if (last.instant().getEpochSecond() != second) {
            last = Now.at(second);
            now = last;
        }
        return last;
    }

    private record Now(Instant instant, ValueTimestampTimeZone value) {
        static Now at(long epochSecond) {
            Instant instant = Instant.ofEpochSecond(epochSecond);
            return new Now(instant, DateTimeUtils.currentTimestamp(TimeZoneProvider.UTC, instant));
        }
    }
}
