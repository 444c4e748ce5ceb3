package org.quiredb.master.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.ForeignKeyDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.writeset.Effects;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.master.lock.LockManager;
import org.quiredb.replica.engine.ChangeLimits;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.sql.SqlEngine;

/// What of a transaction goes to the log: one change per row that differs at its end.
class RowEffectsTest {
    private static final int LIMIT = 1 << 20;
    private static final IndexDefinition PRIMARY =
            new IndexDefinition("PRIMARY", true, List.of("id"));

    private final PageStore store = new PageStore();
    private final SqlEngine engine = new SqlEngine(store);
    private final LockManager locks = new LockManager();
    private long commits;

    @BeforeEach
    void createTables() {
        engine.apply(new SchemaChange.CreateSchema("s"));
        IndexDefinition one = new IndexDefinition("one", true, List.of("k"));
        create(
                1,
                "parent",
                List.of(number("id", true), number("k", false), text(), stamp()),
                List.of(PRIMARY, one),
                List.of());
        create(
                2,
                "child",
                List.of(number("id", false), number("p", false)),
                List.of(PRIMARY, new IndexDefinition("of", false, List.of("p"))),
                List.of(
                        new ForeignKeyDefinition(
                                "f",
                                List.of("p"),
                                "s",
                                "parent",
                                List.of("id"),
                                "SET NULL",
                                "CASCADE")));
        create(3, "free", List.of(number("id", false), text()), List.of(), List.of());
        update("INSERT INTO parent (id, k, v) VALUES (1, 10, 'a'), (2, 20, 'b')");
        update("INSERT INTO child VALUES (1, 1), (2, 1), (3, 2)");
        update("INSERT INTO free VALUES (1, 'x'), (1, 'X'), (1, 'x')");
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private void create(
            int id,
            String name,
            List<ColumnDefinition> columns,
            List<IndexDefinition> indexes,
            List<ForeignKeyDefinition> keys) {
        engine.apply(
                new SchemaChange.CreateTable(
                        id, new TableDefinition("s", name, columns, indexes, keys, List.of(), 1)));
    }

    private static ColumnDefinition number(String name, boolean counts) {
        return column(name, "int(11)", counts, null, false);
    }

    private static ColumnDefinition text() {
        return column("v", "varchar(9)", false, "utf8mb4_general_ci", false);
    }

    private static ColumnDefinition stamp() {
        return column("t", "datetime(6)", false, null, true);
    }

    private static ColumnDefinition column(
            String name, String type, boolean counts, @Nullable String collation, boolean now) {
        boolean nullable = !name.equals("id");
        return new ColumnDefinition(name, type, nullable, counts, null, collation, null, now, null);
    }

    /// What a transaction of these statements changes, and commits.
    private List<String> update(String... statements) {
        UpdateTransaction transaction = begin();
        for (String sql : statements) {
            run(transaction, sql);
        }
        List<String> changes =
                changes(transaction, LIMIT).list().stream().map(RowEffectsTest::text).toList();
        PageChanges pages = transaction.pageChanges();
        commits++;
        pages.writers().forEach(w -> store.publish(w.pageId(), w.bytes(), commits));
        pages.release();
        transaction.release();
        return changes;
    }

    private UpdateTransaction begin() {
        return new UpdateTransaction(commits + 1, store, locks, table -> {}, 1_000);
    }

    private ReplicaReply run(UpdateTransaction transaction, String sql) {
        transaction.beginStatement();
        StatementCall call = new StatementCall("s", sql, List.of(), false, 0, false);
        ReplicaReply reply = engine.update(transaction, call, part -> {});
        assertThat(reply).isInstanceOf(ReplicaReply.Updated.class);
        transaction.endStatement(reply);
        return reply;
    }

    private RowChanges changes(UpdateTransaction transaction, int maximumBytes) {
        return engine.changes(
                transaction, transaction.counterChanges(), ChangeLimits.of(maximumBytes, 0));
    }

    private static String text(RowChange change) {
        return change.shape().kind()
                + " "
                + change.shape().table()
                + change.values().stream()
                        .map(SqlValue::literal)
                        .collect(Collectors.joining(" ", " ", ""));
    }

    @Test
    void anUpdateNamesItsRowAndWhatChanged() {
        assertThat(update("UPDATE child SET p = 2 WHERE id = 1"))
                .containsExactly("UPDATE child 1 2");
        assertThat(update("UPDATE child SET p = 1 WHERE id = 1", "UPDATE child SET p = 2"))
                .containsExactly("UPDATE child 2 2");
        assertThat(update("UPDATE child SET p = 2")).isEmpty();
    }

    @Test
    void aTimeOfTheLastUpdateIsGivenEvenWhereItStays() {
        assertThat(update("UPDATE parent SET v = 'A', t = NULL WHERE id = 1"))
                .containsExactly("UPDATE parent 1 'A' NULL");
    }

    @Test
    void aRowComesUpOnceHoweverOftenItIsChanged() {
        assertThat(
                        update(
                                "INSERT INTO child VALUES (7, 1)",
                                "UPDATE child SET p = 2 WHERE id = 7",
                                "INSERT INTO child VALUES (8, 1)",
                                "DELETE FROM child WHERE id = 8"))
                .containsExactly("INSERT child 7 2");
        assertThat(update("DELETE FROM child WHERE id = 7", "INSERT INTO child VALUES (7, 1)"))
                .containsExactly("DELETE child 7", "INSERT child 7 1");
    }

    @Test
    void whatIsInAUniqueKeyIsDeletedAndInserted() {
        assertThat(
                        update(
                                "UPDATE parent SET k = 0, t = NULL WHERE id = 1",
                                "UPDATE parent SET k = 10, t = NULL WHERE id = 2",
                                "UPDATE parent SET k = 20, t = NULL WHERE id = 1"))
                .containsExactly(
                        "DELETE parent 1",
                        "INSERT parent 1 20 'a' NULL",
                        "DELETE parent 2",
                        "INSERT parent 2 10 'b' NULL");
    }

    @Test
    void cascadesAreNamedRowByRow() {
        assertThat(update("UPDATE parent SET id = 9, t = NULL WHERE id = 1"))
                .contains("DELETE parent 1", "UPDATE child 1 9", "UPDATE child 2 9");
        assertThat(update("DELETE FROM parent WHERE id = 9"))
                .contains("DELETE parent 9")
                .filteredOn(change -> change.contains("child"))
                .hasSize(2);
    }

    @Test
    void aTableWithoutAPrimaryKeyNamesWholeRows() {
        assertThat(update("UPDATE free SET v = 'y' WHERE v = 'x' LIMIT 1"))
                .containsExactly("DELETE_LIKE free 1 'x'", "INSERT free 1 'y'");
        assertThat(update("DELETE FROM free WHERE v = 'x'"))
                .containsExactlyInAnyOrder("DELETE_LIKE free 1 'X'", "DELETE_LIKE free 1 'x'");
    }

    @Test
    void aValueThatWasGivenIsNotGivenAgain() {
        assertThat(
                        update(
                                "INSERT INTO parent (k) VALUES (30), (31)",
                                "DELETE FROM parent WHERE k = 31"))
                .containsExactly("INSERT parent 3 30 NULL NULL", "RAISE parent 4");
    }

    @Test
    void tooMuchForTheLogIsRefused() {
        UpdateTransaction transaction = begin();
        for (int i = 100; i < 200; i++) {
            run(transaction, "INSERT INTO child VALUES (" + i + ", 1)");
        }
        assertThatThrownBy(() -> changes(transaction, 200))
                .isInstanceOfSatisfying(
                        QuireException.class, e -> assertThat(e.code().number()).isEqualTo(1197));
        assertThat(changes(transaction, LIMIT).list()).hasSize(100);
        transaction.release();
    }

    /// Before it is committed, however small the commit: no backend would take its row.
    @Test
    void aRowThatIsTooLargeForAPacketOfABackendIsRefused() {
        UpdateTransaction transaction = begin();
        run(transaction, "UPDATE free SET v = 'y'");
        ChangeLimits limits = ChangeLimits.of(LIMIT, 16);
        assertThatThrownBy(() -> engine.changes(transaction, transaction.counterChanges(), limits))
                .isInstanceOfSatisfying(
                        QuireException.class, e -> assertThat(e.code().number()).isEqualTo(1118));
        assertThat(changes(transaction, LIMIT).list()).isNotEmpty();
        transaction.release();
    }

    @Test
    void theAnswerOfAnOnlyStatementIsKept() {
        UpdateTransaction transaction = begin();
        run(transaction, "INSERT INTO parent (k) VALUES (50), (51)");
        assertThat(transaction.effects(RowChanges.NONE))
                .isEqualTo(new Effects(RowChanges.NONE, 2, 3));
        run(transaction, "DELETE FROM parent WHERE k = 51");
        assertThat(transaction.effects(RowChanges.NONE).affectedRows()).isEqualTo(-1);
        transaction.release();
    }
}
