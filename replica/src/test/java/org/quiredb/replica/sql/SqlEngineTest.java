package org.quiredb.replica.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.RowDigest;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.mysql.PacketReader;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.ForeignKeyDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.page.LoadAccess;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.SnapshotAccess;

/// The engine over real pages, with a few tables of a bookstore.
class SqlEngineTest {
    private static final int AUTHOR = 1;
    private static final int ITEM = 2;
    private static final int LINE = 3;

    private final PageStore store = new PageStore();
    private final SqlEngine engine = new SqlEngine(store);
    private final LoadAccess access = new LoadAccess(store, 1);

    @BeforeEach
    void createTables() {
        engine.apply(new SchemaChange.CreateSchema("shop"));
        engine.apply(new SchemaChange.CreateTable(ITEM, item()));
        engine.apply(new SchemaChange.CreateTable(AUTHOR, author()));
        engine.apply(new SchemaChange.CreateTable(LINE, line()));
        engine.load(
                access,
                AUTHOR,
                List.of(
                        row("1", "Ada", "Byron"),
                        row("2", "Émile", "Zola"),
                        row("3", "ada", "Lee")));
        List<List<byte @Nullable []>> items = new ArrayList<>();
        for (int i = 1; i <= 500; i++) {
            String subject = i % 5 == 0 ? "ARTS" : "COOKING";
            items.add(
                    row(
                            String.valueOf(i),
                            "The Title " + i,
                            String.valueOf(1 + i % 3),
                            subject,
                            "19." + (10 + i % 80),
                            "2001-02-0" + (1 + i % 9) + " 10:11:12",
                            i % 7 == 0 ? null : "5"));
        }
        engine.load(access, ITEM, List.copyOf(items));
        access.finish();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static ColumnDefinition column(String name, String type, boolean nullable) {
        String collation = type.startsWith("varchar") ? "utf8mb4_general_ci" : null;
        return new ColumnDefinition(
                name, type, nullable, false, null, collation, null, false, null);
    }

    private static ColumnDefinition key(String name) {
        return new ColumnDefinition(name, "int(11)", false, true, null, null, null, false, null);
    }

    private static TableDefinition author() {
        return new TableDefinition(
                "shop",
                "author",
                List.of(
                        key("a_id"),
                        column("a_fname", "varchar(20)", false),
                        column("a_lname", "varchar(20)", true)),
                List.of(
                        new IndexDefinition("PRIMARY", true, List.of("a_id")),
                        new IndexDefinition("a_name", false, List.of("a_lname"))),
                List.of(),
                List.of(),
                4);
    }

    private static TableDefinition item() {
        return new TableDefinition(
                "shop",
                "item",
                List.of(
                        key("i_id"),
                        column("i_title", "varchar(60)", false),
                        column("i_a_id", "int(11)", false),
                        column("i_subject", "varchar(60)", true),
                        column("i_cost", "decimal(15,2)", true),
                        column("i_pub_date", "datetime", true),
                        column("i_stock", "int(10) unsigned", true)),
                List.of(
                        new IndexDefinition("PRIMARY", true, List.of("i_id")),
                        new IndexDefinition("i_author", false, List.of("i_a_id")),
                        new IndexDefinition(
                                "i_subject", false, List.of("i_subject", "i_pub_date"))),
                List.of(
                        new ForeignKeyDefinition(
                                "item_author",
                                List.of("i_a_id"),
                                "shop",
                                "author",
                                List.of("a_id"),
                                "RESTRICT",
                                "RESTRICT")),
                List.of(),
                501);
    }

    private static TableDefinition line() {
        return new TableDefinition(
                "shop",
                "line",
                List.of(column("l_note", "varchar(20)", true), column("l_amount", "double", true)),
                List.of(),
                List.of(),
                List.of(),
                0);
    }

    private static List<byte @Nullable []> row(@Nullable String... values) {
        List<byte @Nullable []> row = new ArrayList<>();
        for (@Nullable String value : values) {
            row.add(value == null ? null : value.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        return row;
    }

    private static StatementCall call(String sql, SqlValue... values) {
        return new StatementCall("shop", sql, List.of(values), false, 2, false);
    }

    private List<String> query(String sql, SqlValue... values) {
        List<byte[]> parts = new ArrayList<>();
        ReplicaReply reply = engine.read(access, call(sql, values), parts::add);
        assertThat(reply).isInstanceOf(ReplicaReply.Rows.class);
        return rows(parts);
    }

    /// The text rows behind the column definitions and their EOF, each value followed by a bar.
    private static List<String> rows(List<byte[]> parts) {
        List<String> rows = new ArrayList<>();
        int eofs = 0;
        for (byte[] part : parts) {
            int at = 0;
            while (at < part.length) {
                int length =
                        (part[at] & 0xFF)
                                | (part[at + 1] & 0xFF) << 8
                                | (part[at + 2] & 0xFF) << 16;
                byte[] payload = java.util.Arrays.copyOfRange(part, at + 4, at + 4 + length);
                at += 4 + length;
                if (payload.length < 9 && (payload[0] & 0xFF) == 0xFE) {
                    eofs++;
                } else if (eofs == 1) {
                    rows.add(text(payload));
                }
            }
        }
        return rows;
    }

    private static String text(byte[] payload) {
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < payload.length) {
            if ((payload[at] & 0xFF) == 0xFB) {
                text.append("NULL|");
                at++;
            } else {
                PacketReader reader =
                        new PacketReader(java.util.Arrays.copyOfRange(payload, at, payload.length));
                byte[] value = reader.lenencBytes();
                text.append(new String(value, java.nio.charset.StandardCharsets.UTF_8)).append('|');
                at += value.length + (value.length < 0xFB ? 1 : 3);
            }
        }
        return text.toString();
    }

    private ReplicaReply.Updated update(String sql, SqlValue... values) {
        return (ReplicaReply.Updated) executed(sql, values);
    }

    private ReplicaReply executed(String sql, SqlValue... values) {
        return engine.update(access, call(sql, values), part -> {});
    }

    @Test
    void rowsAreFoundByKey() {
        assertThat(
                        query(
                                "select i_title, i_cost, i_pub_date, i_stock from item where i_id = ?",
                                SqlValue.of(7)))
                .containsExactly("The Title 7|19.17|2001-02-08 10:11:12|NULL|");
        assertThat(query("SELECT * FROM item WHERE i_id = ?", SqlValue.of(9999))).isEmpty();
    }

    @Test
    void joinsSortAndLimit() {
        assertThat(
                        query(
                                "select i.i_id, a.a_lname from item i, author a where i.i_a_id = a.a_id and i.i_subject = ?"
                                        + " order by i.i_pub_date desc, i.i_title limit 3",
                                SqlValue.of("arts")))
                .hasSize(3)
                .first()
                .isEqualTo("125|Lee|");
    }

    @Test
    void textComparesWithoutCaseAndMatchesAnywhere() {
        assertThat(
                        query(
                                "select a_id from author where a_fname like ? order by a_id",
                                SqlValue.of("%DA%")))
                .containsExactly("1|", "3|");
        assertThat(query("select count(*) from item where i_subject = 'Arts'"))
                .containsExactly("100|");
        assertThat(query("select max(i_id), min(i_id) from item")).containsExactly("500|1|");
    }

    @Test
    void changesAreCounted() {
        assertThat(
                        executed(
                                "insert into author (a_fname, a_lname) values (?, ?)",
                                SqlValue.of("O'Neil"),
                                SqlValue.NULL))
                .isInstanceOfSatisfying(
                        ReplicaReply.Updated.class,
                        reply -> {
                            assertThat(reply.affectedRows()).isEqualTo(1);
                            assertThat(reply.lastInsertId()).isEqualTo(4);
                        });
        assertThat(update("update author set a_lname = 'Lee' where a_fname = 'ADA'").affectedRows())
                .isEqualTo(1);
        assertThat(query("select a_id from author where a_lname = 'lee' order by a_id"))
                .containsExactly("1|", "3|");
        assertThat(update("delete from author where a_id = ?", SqlValue.of(4)).affectedRows())
                .isEqualTo(1);
        assertThat(query("select count(*) from author")).containsExactly("3|");
    }

    @Test
    void anUpdateEndsBetweenTwoRowsWhenItIsStopped() {
        StopSignal stop = new StopSignal();
        AtomicInteger writes = new AtomicInteger();
        PageAccess stopping =
                (PageAccess)
                        Proxy.newProxyInstance(
                                PageAccess.class.getClassLoader(),
                                new Class<?>[] {PageAccess.class},
                                (_, method, arguments) -> {
                                    if (method.getName().equals("write")) {
                                        writes.incrementAndGet();
                                        stop.request();
                                    }
                                    return method.invoke(access, arguments);
                                });
        StatementCall all = call("update item set i_stock = 9");

        assertThatThrownBy(() -> stop.during(() -> engine.update(stopping, all, part -> {})))
                .isInstanceOfSatisfying(
                        QuireException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.QUERY_INTERRUPTED));
        assertThat(writes.get()).isBetween(1, 20);
    }

    @Test
    void anInsertShowsTheRowsThatItLeaves() {
        List<byte[]> parts = new ArrayList<>();
        ReplicaReply reply =
                engine.update(
                        access,
                        call(
                                "insert into author (a_id, a_fname) values (1, 'no'), (null, 'Grace'), (2, 'Al')"
                                        + " on duplicate key update a_fname = values(a_fname)"
                                        + " returning a_id, a_fname"),
                        parts::add);
        assertThat(rows(parts)).containsExactly("1|no|", "4|Grace|", "2|Al|");
        assertThat(reply)
                .isInstanceOfSatisfying(
                        ReplicaReply.Updated.class,
                        updated -> {
                            assertThat(updated.affectedRows()).isEqualTo(5);
                            assertThat(updated.lastInsertId()).isEqualTo(4);
                            assertThat(updated.packets()).isEqualTo(8);
                        });
    }

    @Test
    void aJoinGivesTheValuesOfAnUpdate() {
        ReplicaReply done =
                executed(
                        "update author a join item i on i.i_a_id = a.a_id set a.a_fname = i.i_title, a.a_lname = concat(i.i_title, '!') where i.i_id = ?",
                        SqlValue.of(1));
        assertThat(done).isInstanceOf(ReplicaReply.Updated.class);
        assertThatThrownBy(() ->
                        executed(
                                "update author a join item i on i.i_a_id = a.a_id set a.a_fname = i.i_title, a.a_lname = concat(a.a_fname, '!')"))
                .hasMessageContaining("an assignment that reads column a_fname");
    }

    @Test
    void aDuplicateKeyLeavesNothingBehind() {
        assertThat(executed("insert into author (a_id, a_fname) values (1, 'x')"))
                .isEqualTo(
                        new ReplicaReply.Failed(
                                1062, "23000", "Duplicate entry '1' for key 'PRIMARY'", false, 0));
        assertThat(query("select count(*) from author")).containsExactly("3|");
        assertThat(
                        update(
                                        "insert ignore into author (a_id, a_fname) values (1, 'x'), (9, 'y')")
                                .affectedRows())
                .isEqualTo(1);
        assertThat(
                        update(
                                        "insert into author (a_id, a_fname) values (1, 'x') on duplicate key update a_fname = 'z'")
                                .affectedRows())
                .isEqualTo(2);
        assertThat(query("select a_fname from author where a_id = 1")).containsExactly("z|");
    }

    @Test
    void errorsHaveMySqlsNumbers() {
        assertThatThrownBy(() -> executed("insert into item (i_title, i_a_id) values ('x', 77)"))
                .isInstanceOfSatisfying(
                        QuireException.class, e -> assertThat(e.code().number()).isEqualTo(1452))
                .hasMessageContaining(
                        "(`shop`.`item`, CONSTRAINT `item_author` FOREIGN KEY (`i_a_id`) REFERENCES `author` (`a_id`)");
        assertThatThrownBy(() -> executed("delete from author where a_id = 1"))
                .isInstanceOfSatisfying(
                        QuireException.class, e -> assertThat(e.code().number()).isEqualTo(1451));
        assertFailed("update nothing set a = 1", 1146);
        assertThatThrownBy(() -> executed("update other.nothing set a = 1"))
                .hasMessage("Table 'other.nothing' doesn't exist");
        assertFailed("update author set nothing = 1", 1054);
        assertFailed("delete from author order by count(*) limit 1", 1111);
        assertFailed("update author set a_fname = 'x' order by max(a_id) limit 1", 1111);
        assertFailed("update author set a_fname = 'x' where sum(a_id) = 1", 1111);
        assertFailed(
                "update author set a_fname = 'x' where a_id = (select max(author.a_id) from item)",
                1235);
        assertThatThrownBy(() ->
                        executed("insert into author (a_fname) values ('123456789012345678901')"))
                .isInstanceOfSatisfying(
                        QuireException.class, e -> assertThat(e.code().number()).isEqualTo(1406));
        assertThatThrownBy(() -> executed("insert into author (a_fname) values (null)"))
                .isInstanceOfSatisfying(
                        QuireException.class, e -> assertThat(e.code().number()).isEqualTo(1048));
        assertThatThrownBy(() -> executed("insert into author (a_lname) values ('x')"))
                .isInstanceOfSatisfying(
                        QuireException.class, e -> assertThat(e.code().number()).isEqualTo(1364));
        assertThatThrownBy(() -> executed("update item set i_stock = -1 where i_id = 1"))
                .isInstanceOfSatisfying(
                        QuireException.class, e -> assertThat(e.code().number()).isEqualTo(1264));
    }

    private void assertFailed(String sql, int number) {
        assertThatThrownBy(() -> executed(sql))
                .isInstanceOfSatisfying(
                        QuireException.class, e -> assertThat(e.code().number()).isEqualTo(number));
    }

    @Test
    void whatOnlyMySqlMeansIsRefused() {
        for (String sql :
                List.of(
                        "select rand()",
                        "select last_insert_id()",
                        "show tables",
                        "select nothing(1)")) {
            assertThat(engine.read(access, call(sql), part -> {}))
                    .isInstanceOfSatisfying(
                            ReplicaReply.Refused.class,
                            refused ->
                                    assertThat(refused.reason())
                                            .isEqualTo(ReplicaReply.Reason.CANNOT_RUN_HERE));
        }
    }

    /// Between its DROP and its CREATE a table that is altered is nowhere.
    @Test
    void aTableThatIsNotThereIsOneThatChangesUntilTheTagHasTheChange() {
        int lineAnew = 4;
        engine.apply(new SchemaChange.DropTable(LINE), 7);
        assertThat(reasonAt(VersionVector.EMPTY, "select * from line"))
                .isEqualTo(ReplicaReply.Reason.TABLE_CHANGED);
        assertThat(reasonAt(VersionVector.EMPTY.with(ITEM, 6), "select * from line"))
                .isEqualTo(ReplicaReply.Reason.TABLE_CHANGED);

        engine.apply(new SchemaChange.CreateTable(lineAnew, line()), 7);
        assertThat(reasonAt(VersionVector.EMPTY.with(LINE, 6), "select x.* from line"))
                .isEqualTo(ReplicaReply.Reason.TABLE_CHANGED);
        for (int changed : List.of(lineAnew, ITEM)) {
            assertThat(reasonAt(VersionVector.EMPTY.with(changed, 7), "select x.* from line"))
                    .isEqualTo(ReplicaReply.Reason.CANNOT_RUN_HERE);
        }
    }

    /// No change is under way, so asking again would change nothing.
    @Test
    void aWrongAliasIsNotTakenForATableThatChanges() {
        assertThat(reasonAt(VersionVector.EMPTY, "select x.* from item i"))
                .isEqualTo(ReplicaReply.Reason.CANNOT_RUN_HERE);
        assertThat(reasonAt(VersionVector.EMPTY, "select x.i_id from item i"))
                .isEqualTo(ReplicaReply.Reason.CANNOT_RUN_HERE);
    }

    private ReplicaReply.Reason reasonAt(VersionVector tag, String sql) {
        ReplicaReply reply = engine.read(new SnapshotAccess(store, tag), call(sql), part -> {});
        assertThat(reply).isInstanceOf(ReplicaReply.Refused.class);
        return ((ReplicaReply.Refused) reply).reason();
    }

    @Test
    void tablesWithoutAKeyKeepTheirRows() {
        assertThat(
                        update("insert into line values ('a', 1.5), ('a', 1.5), (null, 2)")
                                .affectedRows())
                .isEqualTo(3);
        assertThat(query("select * from line order by l_amount"))
                .containsExactly("a|1.5|", "a|1.5|", "NULL|2|");
        assertThat(update("delete from line where l_amount > 1.8").affectedRows()).isEqualTo(1);
        assertThat(engine.digest(access, LINE).rows()).isEqualTo(2);
    }

    @Test
    void aBackslashInANormalisedTextIsItself() {
        executed("insert into line values ('C:\\x''', ?)", SqlValue.of(1));
        assertThat(query("select l_note from line")).containsExactly("C:\\x'|");
    }

    @Test
    void valuesOfOneInsertFollowOneAnother() {
        update("insert into author (a_fname) values ('x'), ('y'), ('z')");
        assertThat(query("select a_id from author where a_id > 3 order by a_id"))
                .containsExactly("4|", "5|", "6|");
        executed("insert into author (a_id, a_fname) values (null, 'p'), (20, 'q'), (null, 'r')");
        assertThat(query("select a_id, a_fname from author where a_id > 6 order by a_id"))
                .containsExactly("7|p|", "20|q|", "21|r|");
    }

    @Test
    void whatIsAssignedIsReadByTheAssignmentsBehindIt() {
        update("update item set i_a_id = i_a_id - i_a_id + 2, i_stock = i_a_id + 1 where i_id = 3");
        assertThat(query("select i_a_id, i_stock from item where i_id = 3"))
                .containsExactly("2|3|");
        assertThat(
                        update("update item set i_a_id = 1, i_stock = i_stock + 1 where i_id = 1")
                                .affectedRows())
                .isEqualTo(1);
    }

    @Test
    void aDateOfZeroesIsLoadedAndShown() {
        engine.load(
                access,
                ITEM,
                List.of(row("900", "Old", "1", "X", "1.00", "0000-00-00 00:00:00", "1")));
        assertThat(query("select i_pub_date from item where i_id = 900"))
                .containsExactly("0000-00-00 00:00:00|");
    }

    @Test
    void digestsAreTakenOfMySqlsTextForms() {
        List<RowDigest> digests = new ArrayList<>();
        engine.rowDigests(access, ITEM, digests::addAll);
        assertThat(digests)
                .hasSize(500)
                .contains(
                        new RowDigest(
                                "7",
                                RowDigest.of(
                                        row(
                                                "7",
                                                "The Title 7",
                                                "2",
                                                "COOKING",
                                                "19.17",
                                                "2001-02-08 10:11:12",
                                                null))));
        assertThat(engine.digest(access, ITEM).digest())
                .isEqualTo(digests.stream().mapToLong(RowDigest::digest).sum());
    }

    @Test
    void aTableMadeAnewReplacesTheOldOne() {
        engine.apply(new SchemaChange.DropTable(AUTHOR));
        engine.apply(new SchemaChange.CreateTable(9, author()));
        assertThat(query("select count(*) from author")).containsExactly("0|");
        assertThat(engine.tables())
                .extracting(CatalogueEntry::tableId)
                .containsExactly(ITEM, LINE, 9);
    }

    /// On ever smaller stacks, until one ends. How much it takes hangs on what is compiled by then.
    @Test
    void aDescriptionForWhichTheStackIsTooSmallIsRefusedAndTheEngineGoesOn() throws Exception {
        String sql =
                "SELECT i_id FROM item WHERE "
                        + "COALESCE(i_stock, ".repeat(180)
                        + "i_id"
                        + ")".repeat(180)
                        + " > 0";
        assertThat(described(sql, 8_192)).isInstanceOf(ReplicaReply.Described.class);
        ReplicaReply last = described(sql, 512);
        for (int kilobytes = 480;
                kilobytes >= 128 && last instanceof ReplicaReply.Described;
                kilobytes -= 32) {
            last = described(sql, kilobytes);
        }
        assertThat(last)
                .isInstanceOfSatisfying(
                        ReplicaReply.Failed.class,
                        failed -> assertThat(failed.number()).isEqualTo(1436));
        assertThat(described(sql, 8_192)).isInstanceOf(ReplicaReply.Described.class);
    }

    private ReplicaReply described(String sql, int stackKilobytes) throws Exception {
        FutureTask<ReplicaReply> task = new FutureTask<>(() -> engine.describe("shop", sql));
        new Thread(null, task, "small", stackKilobytes * 1024L).start();
        return task.get();
    }
}
