package org.quiredb.replica.sql;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.RowDigest;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.CounterChange;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.replica.binding.BoundStatement;
import org.quiredb.replica.engine.ChangeLimits;
import org.quiredb.replica.engine.Engine;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.engine.OverlayLimits;
import org.quiredb.replica.engine.StatementMemory;
import org.quiredb.replica.file.PageFileException;
import org.quiredb.replica.h2.H2Statements;
import org.quiredb.replica.h2.RefusedByH2Exception;
import org.quiredb.replica.h2.catalogue.H2Catalogue;
import org.quiredb.replica.h2.row.NamedRows;
import org.quiredb.replica.h2.row.OwnRows;
import org.quiredb.replica.h2.row.RowEffects;
import org.quiredb.replica.h2.row.TableRows;
import org.quiredb.replica.h2.session.Plan;
import org.quiredb.replica.kind.ParameterTypes;
import org.quiredb.replica.kind.Scope;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.SnapshotAccess;
import org.quiredb.replica.page.TableChangedException;
import org.quiredb.replica.page.VersionReclaimedException;
import org.quiredb.replica.planning.Planning;
import org.quiredb.replica.result.Keeping;
import org.quiredb.replica.result.KeptResult;
import org.quiredb.replica.tree.OverlaidSnapshot;
import org.quiredb.replica.tree.RecordAccess;
import org.quiredb.sql.KeptReadings;
import org.quiredb.sql.tree.Query;
import org.quiredb.sql.tree.Reading;

/// SQL over a replica's pages: H2, whose tables keep their rows in the page store.
///
/// Threads: any; schema changes come one at a time.
public final class SqlEngine implements Engine {
    private static final int TEXTS = 10_000;

    /// Longer texts carry a row for each of their parameters, and seldom come again.
    private static final int KEPT_LENGTH = 8 * 1024;

    /// More values have too many combinations of types.
    private static final int KEPT_VALUES = 64;

    /// What the backend is asked about a plain read: whether it can run it, or knows a name.
    private static final Set<ErrorCode> OF_THE_BACKEND =
            EnumSet.of(
                    ErrorCode.NOT_SUPPORTED_YET,
                    ErrorCode.NO_SUCH_TABLE,
                    ErrorCode.UNKNOWN_COLUMN,
                    ErrorCode.AMBIGUOUS_COLUMN);

    private final H2Catalogue catalogue;
    private final H2Statements h2;
    private final StatementMemory memory;
    private final Plans plans;
    private final ResultCache results;
    private final KeptReadings statements = new KeptReadings(TEXTS);

    /// Readings bound to a state of the catalogue, for statements that come again and again.
    private final Cache<Binding, BoundStatement> bindings =
            Caffeine.newBuilder().maximumSize(TEXTS).build();

    public SqlEngine(PageStore store) {
        this(store, StatementMemory.Limits.DEFAULT);
    }

    public SqlEngine(PageStore store, StatementMemory.Limits limits) {
        this(store, limits, true);
    }

    /// @param plans whether plain reads are run by plans where these cover them
    public SqlEngine(PageStore store, StatementMemory.Limits limits, boolean plans) {
        this(store, limits, plans, Keeping.NONE);
    }

    /// @param plans whether plain reads are run by plans where these cover them
    /// @param keeping of results of plain reads. Where any are kept, pages change only by what
    ///   {@link #committed} hears of
    public SqlEngine(
            PageStore store, StatementMemory.Limits limits, boolean plans, Keeping keeping) {
        this(store, Clock.systemUTC(), limits, plans, keeping);
    }

    SqlEngine(PageStore store, Clock clock) {
        this(store, clock, StatementMemory.Limits.DEFAULT, true, Keeping.NONE);
    }

    private SqlEngine(
            PageStore store,
            Clock clock,
            StatementMemory.Limits limits,
            boolean plans,
            Keeping keeping) {
        this.memory = new StatementMemory(limits);
        this.plans = new Plans(plans, memory);
        this.results = new ResultCache(keeping);
        this.catalogue = new H2Catalogue(store);
        this.h2 = new H2Statements(catalogue, memory, clock);
    }

    private record Binding(
            String database, String sql, ParameterTypes operands, boolean update, long catalogue) {}

    private BoundStatement bind(StatementCall call, ParameterTypes operands, boolean update) {
        Binding binding =
                new Binding(call.database(), call.sql(), operands, update, catalogue.version());
        BoundStatement known = bindings.getIfPresent(binding);
        if (known != null) {
            return known;
        }
        Reading reading = statements.read(call.sql());
        Scope scope = new Scope(call.database(), catalogue.byName()::get);
        BoundStatement bound =
                update
                        ? BoundStatement.update(reading, scope, operands)
                        : BoundStatement.read(reading, scope, operands);
        if (isKept(call)) {
            bindings.put(binding, bound);
        }
        return bound;
    }

    /// Null where it has not been run lately.
    private @Nullable BoundStatement known(StatementCall call) {
        return bindings.getIfPresent(
                new Binding(
                        call.database(),
                        call.sql(),
                        ParameterTypes.of(call.values()),
                        false,
                        catalogue.version()));
    }

    /// Known once it has been run.
    @Override
    public boolean isShort(StatementCall call) {
        BoundStatement known = known(call);
        return known != null && known.point().get();
    }

    @Override
    public @Nullable Ready ready(VersionVector tag, StatementCall call) {
        BoundStatement known = results.used() ? known(call) : null;
        KeptResult found = known == null ? null : results.ready(known, tag, call);
        if (found == null) {
            return null;
        }
        return parts -> {
            found.give(parts);
            return new ReplicaReply.Rows(found.packets());
        };
    }

    @Override
    public void committed(WriteSet writeSet) {
        if (results.used()) {
            results.committed(writeSet);
        }
    }

    private static boolean isKept(StatementCall call) {
        return call.sql().length() <= KEPT_LENGTH && call.values().size() <= KEPT_VALUES;
    }

    @Override
    public ReplicaReply read(PageAccess access, StatementCall call, Consumer<byte[]> sink) {
        try (LargeRows parts = new LargeRows(memory, sink)) {
            boolean changed = access.writable() || access instanceof OverlaidSnapshot;
            if (changed || !(plans.used() || results.used())) {
                return byH2(access, call, parts); // neither knows of changes over the pages
            }
            BoundStatement bound = bind(call, ParameterTypes.of(call.values()), false);
            if (!isKept(call)) {
                return byH2(access, call, parts);
            }
            catalogue.requireServed(bound.tables());
            return results.used()
                            && !bound.point().get()
                            && access instanceof SnapshotAccess snapshot
                    ? results.read(
                            bound,
                            () -> statements.read(call.sql()).query(),
                            snapshot.tag(),
                            call,
                            parts,
                            to -> computed(bound, access, call, to))
                    : computed(bound, access, call, parts);
        } catch (RefusedByH2Exception e) {
            return notHere(e, access);
        } catch (QuireException e) {
            return failed(e, access);
        } catch (VersionReclaimedException e) {
            return reclaimed(e);
        } catch (PageFileException e) {
            return refused(ReplicaReply.Reason.NOT_SERVING, e);
        }
    }

    private ReplicaReply computed(
            BoundStatement bound, PageAccess access, StatementCall call, Consumer<byte[]> parts) {
        if (plans.used()) {
            bound.requireFormsOfPlans(call.values());
            if (!bound.plan().settled()) {
                settle(bound, access, call);
            }
            ReplicaReply reply = plans.run(bound, access, call, parts);
            if (reply != null) {
                return reply;
            }
        }
        return byH2(access, call, parts);
    }

    private ReplicaReply byH2(PageAccess access, StatementCall call, Consumer<byte[]> parts) {
        plans.ranByH2();
        return h2.read(
                access, call, parts, () -> bind(call, ParameterTypes.of(call.values()), false));
    }

    /// Has H2 plan a read, and makes a plan of that where there is one.
    private void settle(BoundStatement bound, PageAccess access, StatementCall call) {
        Query query = statements.read(call.sql()).query();
        if (query == null) {
            bound.plan().settle(null);
            return;
        }
        bound.plan()
                .settle(
                        h2.planned(
                                bound,
                                access,
                                call,
                                plan -> {
                                    bound.point().set(plan.point());
                                    return Planning.of(
                                            query,
                                            call.values().size(),
                                            bound,
                                            plan::tables,
                                            () -> plan.header(catalogue.byName(), bound.shown()));
                                }));
    }

    @Override
    public List<NodeStatus.Figure> figures() {
        List<NodeStatus.Figure> figures = new ArrayList<>();
        figures.add(new NodeStatus.Figure("plans.reads", plans.planned()));
        figures.add(new NodeStatus.Figure("plans.others", plans.others()));
        figures.addAll(results.figures());
        return figures;
    }

    /// What cannot be run while the schema changes is asked for again of a newer state: a table
    /// that is missed may be on its way, one that was planned with may have become another.
    private ReplicaReply notHere(Exception error, PageAccess access) {
        return access instanceof SnapshotAccess snapshot && catalogue.changedSince(snapshot.tag())
                ? refused(ReplicaReply.Reason.TABLE_CHANGED, error)
                : refused(ReplicaReply.Reason.CANNOT_RUN_HERE, error);
    }

    private static ReplicaReply reclaimed(VersionReclaimedException e) {
        return refused(
                e instanceof TableChangedException
                        ? ReplicaReply.Reason.TABLE_CHANGED
                        : ReplicaReply.Reason.VERSION_RECLAIMED,
                e);
    }

    private static ReplicaReply refused(ReplicaReply.Reason reason, Exception e) {
        return new ReplicaReply.Refused(reason, 0, String.valueOf(e.getMessage()));
    }

    private ReplicaReply failed(QuireException error, PageAccess access) {
        return OF_THE_BACKEND.contains(error.code())
                ? notHere(error, access)
                : Errors.failed(error);
    }

    private static ReplicaReply cannotRun(String detail) {
        return new ReplicaReply.Refused(ReplicaReply.Reason.CANNOT_RUN_HERE, 0, detail);
    }

    /// How a query with these values would be run on this state: its tables in order, each with the
    /// index that is searched or `every row`.
    public List<String> explain(PageAccess access, StatementCall call) {
        BoundStatement bound = bind(call, ParameterTypes.of(call.values()), false);
        return h2.planned(bound, access, call, Plan::steps);
    }

    @Override
    public ReplicaReply update(PageAccess access, StatementCall call, Consumer<byte[]> parts) {
        try {
            return h2.update(
                    access, call, parts, () -> bind(call, ParameterTypes.of(call.values()), true));
        } catch (VersionReclaimedException e) { // of a snapshot that the transaction reads
            return reclaimed(e);
        }
    }

    @Override
    public RowChanges changes(
            RecordAccess transaction, List<CounterChange> counters, ChangeLimits limits) {
        return RowEffects.of(transaction, counters, this::table, limits);
    }

    @Override
    public RowChanges ownRows(RecordAccess transaction, OverlayLimits limits, IntConsumer unnamed) {
        return OwnRows.of(transaction, this::table, limits, unnamed);
    }

    @Override
    public void apply(SchemaChange change, long commitNumber) {
        try {
            catalogue.apply(change, commitNumber);
        } finally {
            results.catalogueChanged(catalogue);
        }
    }

    @Override
    public void load(PageAccess access, int tableId, List<List<byte @Nullable []>> rows) {
        new TableRows(table(tableId)).load(access, rows);
    }

    @Override
    public ReplicaReply.DigestReply digest(PageAccess access, int tableId) {
        long[] sums = new long[2];
        new TableRows(table(tableId))
                .forEach(
                        access,
                        texts -> {
                            sums[0]++;
                            sums[1] += RowDigest.of(texts);
                        });
        return new ReplicaReply.DigestReply(sums[0], sums[1]);
    }

    @Override
    public void rowDigests(PageAccess access, int tableId, Consumer<List<RowDigest>> parts) {
        new TableRows(table(tableId)).digests(access, parts);
    }

    @Override
    public void named(
            PageAccess access,
            int tableId,
            RowChanges keys,
            List<String> texts,
            Consumer<RowChanges> parts) {
        new NamedRows(table(tableId), access, parts).find(keys, Set.copyOf(texts));
    }

    private TableLayout table(int tableId) {
        TableLayout table = catalogue.table(tableId);
        if (table == null) {
            throw new QuireException(
                    ErrorCode.NO_SUCH_TABLE, "Table number " + tableId + " doesn't exist");
        }
        return table;
    }

    @Override
    public ReplicaReply describe(String database, String sql) {
        StatementCall call = new StatementCall(database, sql, List.of(), false, 0, false);
        try {
            return h2.describe(() -> bind(call, ParameterTypes.UNKNOWN, false));
        } catch (RefusedByH2Exception e) {
            return cannotRun(String.valueOf(e.getMessage()));
        } catch (QuireException e) {
            return OF_THE_BACKEND.contains(e.code())
                    ? cannotRun(String.valueOf(e.getMessage()))
                    : Errors.failed(e);
        }
    }

    @Override
    public List<Limited> limited() {
        return catalogue.limited();
    }

    @Override
    public List<String> schemas() {
        return catalogue.schemas();
    }

    @Override
    public List<CatalogueEntry> tables() {
        return catalogue.tables().stream()
                .map(table ->
                        new CatalogueEntry(
                                table.tableId(), table.conflictClass(), table.definition()))
                .toList();
    }

    @Override
    public void close() {
        catalogue.close();
    }
}
