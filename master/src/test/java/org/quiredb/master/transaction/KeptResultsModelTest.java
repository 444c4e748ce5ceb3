package org.quiredb.master.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.ForeignKeyDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.PageId;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.Effects;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.master.lock.LockManager;
import org.quiredb.replica.engine.ChangeLimits;
import org.quiredb.replica.engine.Engine;
import org.quiredb.replica.engine.StatementMemory;
import org.quiredb.replica.intake.Intake;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.SnapshotAccess;
import org.quiredb.replica.result.Keeping;
import org.quiredb.replica.sql.SqlEngine;

/// Random commits of two classes, schema changes, replicas that lag and that join, reads at random
/// tags: what a replica answers that keeps every result is what one computes that keeps none.
@Tag("slow")
class KeptResultsModelTest {
    private static final int STEPS = 4_000;
    private static final int IDS = 12;
    private static final Keeping EVERYTHING = new Keeping(64 << 20, 0);

    private static final List<String> CHANGES =
            List.of(
                    "INSERT INTO a.t (id, k, v, w) VALUES (?, ?, ?, ?)",
                    "UPDATE a.t SET v = ? WHERE id = ?",
                    "UPDATE a.t SET w = ? WHERE k > ?",
                    "UPDATE a.t SET k = ? WHERE id = ?",
                    "UPDATE a.t SET id = ? WHERE id = ?",
                    "DELETE FROM a.t WHERE id = ?",
                    "INSERT INTO a.child (id, p, n) VALUES (?, ?, ?)",
                    "UPDATE a.child SET n = ? WHERE id < ?",
                    "INSERT INTO a.free VALUES (?, ?)",
                    "UPDATE a.free SET y = ? WHERE x = ?",
                    "DELETE FROM a.free WHERE x = ?",
                    "INSERT INTO b.u (id, k, z) VALUES (?, ?, ?)",
                    "UPDATE b.u SET z = ? WHERE id = ?",
                    "UPDATE b.u SET k = ? WHERE id = ?",
                    "DELETE FROM b.u WHERE id = ?");

    private static final List<String> READS =
            List.of(
                    "SELECT COUNT(*) FROM a.t",
                    "SELECT SUM(v) FROM a.t WHERE k > ?",
                    "SELECT id, w FROM a.t WHERE k < ? ORDER BY id",
                    "SELECT id FROM a.t WHERE v > ? ORDER BY id LIMIT 3",
                    "SELECT * FROM a.t WHERE id > ? ORDER BY id",
                    "SELECT id, g FROM a.made WHERE id > ? ORDER BY id",
                    "SELECT k, SUM(v) AS s FROM a.t GROUP BY k HAVING SUM(v) > ? ORDER BY k",
                    "SELECT c.id, t.k FROM a.child c JOIN a.t ON t.id = c.p WHERE c.n > ? ORDER BY c.id",
                    "SELECT t.id, u.z FROM a.t JOIN b.u ON u.id = t.v WHERE t.k > ? ORDER BY t.id, u.id",
                    "SELECT t.id, u.id FROM a.t JOIN b.u USING (k) WHERE t.id > ? ORDER BY t.id, u.id",
                    "SELECT id FROM a.t WHERE id IN (SELECT z FROM b.u WHERE k > ?) ORDER BY id",
                    "SELECT x, COUNT(*) FROM a.free WHERE y > ? GROUP BY x ORDER BY x",
                    "SELECT q.k, q.n FROM (SELECT k, COUNT(*) AS n FROM b.u GROUP BY k) q WHERE q.n > ? ORDER BY q.k",
                    "SELECT MAX(id) FROM a.child",
                    "SELECT z FROM b.u WHERE id = ?");

    private final List<SqlEngine> engines = new ArrayList<>();

    @AfterEach
    void close() {
        engines.forEach(SqlEngine::close);
    }

    @SuppressWarnings("ArrayRecordComponent") // compared with nothing
    private record Committed(byte[] writeSet, ConflictClass conflictClass, long number) {}

    /// Where commits are made, and all that ever were.
    private final class Source {
        private final PageStore store = new PageStore();
        private final SqlEngine engine = engine(store, Keeping.NONE);
        private final LockManager locks = new LockManager();
        private final List<Committed> log = new ArrayList<>();
        private final Map<ConflictClass, Long> numbers = new HashMap<>();
        private final Map<Integer, SchemaChange.CreateTable> tables = new TreeMap<>();
        private int lastTableId;

        Source() {
            define("a", "t");
            define("a", "child");
            define("a", "free");
            define("a", "made");
            define("b", "u");
        }

        private long next(ConflictClass conflictClass) {
            return numbers.merge(conflictClass, 1L, Long::sum);
        }

        /// Makes the table, or makes it anew and empty.
        void define(String schema, String name) {
            ConflictClass conflictClass = new ConflictClass(schema);
            long number = next(conflictClass);
            List<SchemaChange> changes = new ArrayList<>();
            tables.values().stream()
                    .filter(t -> t.definition().schema().equals(schema))
                    .filter(t -> t.definition().name().equals(name))
                    .map(SchemaChange.CreateTable::tableId)
                    .toList()
                    .forEach(id -> {
                        changes.add(new SchemaChange.DropTable(id));
                        tables.remove(id);
                    });
            SchemaChange.CreateTable created =
                    new SchemaChange.CreateTable(
                            ++lastTableId, conflictClass, definition(schema, name));
            changes.add(created);
            tables.put(lastTableId, created);
            changes.forEach(change -> engine.apply(change, number));
            log(conflictClass, number, List.of(), List.of(), changes, Effects.NONE);
        }

        private void log(
                ConflictClass conflictClass,
                long number,
                List<PageChange> pages,
                List<org.quiredb.common.writeset.CounterChange> counters,
                List<SchemaChange> changes,
                Effects effects) {
            byte[] bytes =
                    new WriteSet(conflictClass, 1, number, 0, pages, counters, changes, effects)
                            .encode();
            log.add(new Committed(bytes, conflictClass, number));
        }

        void commit(SplittableRandom random) {
            UpdateTransaction transaction =
                    new UpdateTransaction(log.size() + 1, store, locks, table -> {}, 1_000);
            String first = CHANGES.get(random.nextInt(CHANGES.size()));
            ConflictClass conflictClass = new ConflictClass(first.contains("b.u") ? "b" : "a");
            run(transaction, first, random);
            for (int more = random.nextInt(3); more > 0; more--) {
                String sql = CHANGES.get(random.nextInt(CHANGES.size()));
                if (sql.contains("b.u") == conflictClass.name().equals("b")) {
                    run(transaction, sql, random);
                }
            }
            if (random.nextInt(4) == 0 && conflictClass.name().equals("a")) {
                run(transaction, "REPLACE INTO a.made (id, v, w) VALUES (?, ?, ?)", random);
                run(transaction, "UPDATE a.made SET w = ? WHERE id > ?", random);
            }
            if (transaction.changes()) {
                Effects effects =
                        new Effects(
                                engine.changes(
                                        transaction,
                                        transaction.counterChanges(),
                                        ChangeLimits.of(1 << 20, 0)));
                PageChanges pages = transaction.pageChanges();
                List<PageChange> changes = pages.pageChanges();
                long number = next(conflictClass);
                pages.writers().forEach(w -> store.publish(w.pageId(), w.bytes(), number));
                pages.release();
                log(
                        conflictClass,
                        number,
                        changes,
                        transaction.counterChanges(),
                        List.of(),
                        effects);
            }
            transaction.release();
        }

        private void run(UpdateTransaction transaction, String sql, SplittableRandom random) {
            transaction.beginStatement();
            StatementCall call = new StatementCall("a", sql, values(sql, random), false, 0, false);
            ReplicaReply reply;
            try {
                reply = engine.update(transaction, call, part -> {});
            } catch (QuireException e) {
                transaction.undoStatement();
                return;
            }
            if (reply instanceof ReplicaReply.Updated) {
                transaction.endStatement(reply);
            } else {
                transaction.undoStatement();
            }
        }
    }

    private SqlEngine engine(PageStore store, Keeping keeping) {
        SqlEngine engine = new SqlEngine(store, StatementMemory.Limits.of(1 << 28), true, keeping);
        engines.add(engine);
        return engine;
    }

    private static List<SqlValue> values(String sql, SplittableRandom random) {
        return sql.chars()
                .filter(c -> c == '?')
                .mapToObj(c -> SqlValue.of(random.nextInt(IDS)))
                .toList();
    }

    private final class Replica {
        private final PageStore store = new PageStore();
        private final SqlEngine engine;
        private final Progress progress = new Progress(ClassPatterns.NONE);
        private final Intake intake;
        private int taken;

        Replica(Keeping keeping) {
            engine = engine(store, keeping);
            intake =
                    new Intake(
                            "one",
                            store,
                            engine,
                            progress,
                            (to, bytes) -> {},
                            standing -> {},
                            topology -> {});
            intake.open(Map.of());
        }

        void take(Source source, int upTo) {
            for (; taken < upTo; taken++) {
                byte[] writeSet = source.log.get(taken).writeSet();
                intake.take(new Intake.Arrival.HandedOver(List.of(writeSet)));
            }
        }

        /// Gets tables and pages as they are.
        void join(Source source) {
            List<ClassPosition> positions =
                    source.numbers.entrySet().stream()
                            .map(e -> new ClassPosition(e.getKey(), e.getValue()))
                            .toList();
            source.tables
                    .values()
                    .forEach(table -> {
                        engine.apply(table);
                        progress.changed(table);
                        source.store.forEachPage(
                                table.tableId(),
                                0,
                                page ->
                                        store.install(
                                                page.pageId(),
                                                page.newestNumber(),
                                                page.newest().bytes()));
                    });
            progress.beginAt(positions, 1, source.lastTableId + 1);
            taken = source.log.size();
        }

        String answer(VersionVector tag, StatementCall call) {
            assertThat(progress.holds(tag)).isTrue();
            ByteArrayOutputStream packets = new ByteArrayOutputStream();
            Engine.Ready ready = engine.ready(tag, call);
            ReplicaReply reply =
                    ready == null
                            ? engine.read(
                                    new SnapshotAccess(store, tag),
                                    call,
                                    part -> spoil(part, packets))
                            : ready.give(part -> spoil(part, packets));
            return reply instanceof ReplicaReply.Refused(var reason, var epoch, var detail)
                    ? reason.name()
                    : reply + " " + packets.toString(StandardCharsets.ISO_8859_1);
        }

        double figure(String name) {
            return engine.figures().stream()
                    .filter(figure -> figure.name().equals(name))
                    .findFirst()
                    .orElseThrow()
                    .value();
        }
    }

    /// As who gives packets other numbers does.
    private static void spoil(byte[] part, ByteArrayOutputStream packets) {
        packets.writeBytes(part);
        java.util.Arrays.fill(part, (byte) 0x55);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void keptAnswersAreTheComputedOnes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Source source = new Source();
        Replica kept = new Replica(EVERYTHING);
        Replica twin = new Replica(Keeping.NONE);
        Replica whole = new Replica(Keeping.NONE);
        double hits = 0;
        double outdated = 0;
        int joined = 0;
        for (int step = 0; step < STEPS; step++) {
            int what = random.nextInt(100);
            if (what < 12) {
                source.commit(random);
            } else if (what < 20) {
                int upTo = Math.min(source.log.size(), kept.taken + 1 + random.nextInt(4));
                for (Replica replica : List.of(kept, twin, whole)) {
                    replica.take(source, upTo);
                }
            } else if (what == 20 && random.nextInt(4) == 0) {
                List<SchemaChange.CreateTable> tables = List.copyOf(source.tables.values());
                TableDefinition anew = tables.get(random.nextInt(tables.size())).definition();
                source.define(anew.schema(), anew.name());
            } else if (what == 21 && random.nextInt(10) == 0) {
                hits += kept.figure("results.hits");
                outdated += kept.figure("results.outdated");
                kept = new Replica(EVERYTHING);
                kept.join(source);
                twin = new Replica(Keeping.NONE);
                twin.join(source);
                whole.take(source, source.log.size());
                joined++;
            } else {
                read(random, source, kept, twin, whole, "seed " + seed + ", step " + step);
            }
        }
        hits += kept.figure("results.hits");
        outdated += kept.figure("results.outdated");
        assertThat(hits).as("answers that were kept").isGreaterThan(STEPS / 10.0);
        assertThat(outdated).as("results that were not used").isPositive();
        assertThat(joined).as("replicas that joined").isPositive();
    }

    /// @param twin with the same history
    /// @param whole that was there from the beginning, and has every version
    private static void read(
            SplittableRandom random,
            Source source,
            Replica kept,
            Replica twin,
            Replica whole,
            String where) {
        String sql = READS.get(random.nextInt(READS.size()));
        List<SqlValue> values =
                sql.contains("?") ? List.of(SqlValue.of(random.nextInt(3))) : List.of();
        VersionVector tag = tag(random, source, kept);
        StatementCall call = new StatementCall("a", sql, values, random.nextInt(3) == 0, 2, false);
        String answer = kept.answer(tag, call);
        String computed = twin.answer(tag, call);
        if (computed.equals("VERSION_RECLAIMED") && !answer.equals(computed)) {
            computed = whole.answer(tag, call); // what was read has not changed since
        }
        assertThat(answer).as(where + ": " + sql + " " + values + " at " + tag).isEqualTo(computed);
    }

    /// For each class a commit that has been received; for each table that, or its last at that.
    private static VersionVector tag(SplittableRandom random, Source source, Replica replica) {
        Map<ConflictClass, Long> numbers = new HashMap<>();
        for (Committed commit : source.log.subList(0, replica.taken)) {
            numbers.put(commit.conflictClass(), commit.number());
        }
        int back = random.nextInt(3) == 0 ? 8 : 1;
        numbers.replaceAll((c, number) -> Math.max(1, number - random.nextInt(back)));
        VersionVector tag = VersionVector.EMPTY;
        for (Committed commit : source.log.subList(0, replica.taken)) {
            if (commit.number() > numbers.getOrDefault(commit.conflictClass(), 0L)) {
                continue;
            }
            WriteSet writeSet = WriteSet.decode(commit.writeSet());
            for (SchemaChange change : writeSet.schemaChanges()) {
                if (change instanceof SchemaChange.CreateTable created) {
                    tag = tag.with(created.tableId(), commit.number());
                }
            }
            for (PageChange page : writeSet.pages()) {
                tag = tag.with(PageId.tableId(page.pageId()), commit.number());
            }
        }
        if (random.nextBoolean()) {
            for (SchemaChange.CreateTable table : source.tables.values()) {
                if (tag.get(table.tableId()) > 0) {
                    long number = numbers.getOrDefault(table.conflictClass(), 0L);
                    tag = tag.with(table.tableId(), number);
                }
            }
        }
        return tag;
    }

    private static TableDefinition definition(String schema, String name) {
        IndexDefinition primary = new IndexDefinition("PRIMARY", true, List.of("id"));
        IndexDefinition byK = new IndexDefinition("by_k", false, List.of("k"));
        return switch (name) {
            case "t" ->
                    table(
                            schema,
                            name,
                            List.of(column("id"), column("k"), column("v"), column("w")),
                            List.of(primary, byK),
                            List.of());
            case "child" ->
                    table(
                            schema,
                            name,
                            List.of(column("id"), column("p"), column("n")),
                            List.of(primary, new IndexDefinition("of", false, List.of("p"))),
                            List.of(
                                    new ForeignKeyDefinition(
                                            "f",
                                            List.of("p"),
                                            "a",
                                            "t",
                                            List.of("id"),
                                            "SET NULL",
                                            "CASCADE")));
            case "free" ->
                    table(schema, name, List.of(column("x"), column("y")), List.of(), List.of());
            case "made" ->
                    table(
                            schema,
                            name,
                            List.of(column("id"), column("v"), column("w"), generated()),
                            List.of(primary),
                            List.of());
            default ->
                    table(
                            schema,
                            name,
                            List.of(column("id"), column("k"), column("z")),
                            List.of(primary, byK),
                            List.of());
        };
    }

    private static TableDefinition table(
            String schema,
            String name,
            List<ColumnDefinition> columns,
            List<IndexDefinition> indexes,
            List<ForeignKeyDefinition> keys) {
        return new TableDefinition(schema, name, columns, indexes, keys, List.of(), 0);
    }

    private static ColumnDefinition column(String name) {
        return column(name, null);
    }

    private static ColumnDefinition generated() {
        return column("g", "`v` + `w`");
    }

    private static ColumnDefinition column(String name, @Nullable String generation) {
        return new ColumnDefinition(
                name, "int(11)", !name.equals("id"), false, null, null, null, false, generation);
    }
}
