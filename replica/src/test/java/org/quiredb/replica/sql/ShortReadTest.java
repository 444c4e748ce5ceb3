package org.quiredb.replica.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.page.LoadAccess;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.SnapshotAccess;

/// What may run on an event loop is known by how it is planned, and by nothing less.
class ShortReadTest {
    private static final int ROWS = 300;

    private final PageStore store = new PageStore();
    private final SqlEngine engine = new SqlEngine(store);

    @BeforeEach
    void load() {
        engine.apply(new SchemaChange.CreateSchema("shop"));
        engine.apply(
                new SchemaChange.CreateTable(
                        1,
                        new TableDefinition(
                                "shop",
                                "item",
                                List.of(
                                        column("id", "int(11)", false),
                                        column("code", "varchar(20)", false),
                                        column("author", "int(11)", false),
                                        column("shelf", "int(11)", true)),
                                List.of(
                                        new IndexDefinition("PRIMARY", true, List.of("id")),
                                        new IndexDefinition("code", true, List.of("code")),
                                        new IndexDefinition("author", false, List.of("author")),
                                        new IndexDefinition("shelf", true, List.of("shelf"))),
                                List.of(),
                                List.of(),
                                0)));
        LoadAccess load = new LoadAccess(store, 1);
        List<List<byte @Nullable []>> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(List.of(text(i), text("c" + i), text(i % 7), text(i)));
        }
        engine.load(load, 1, rows);
        load.finish();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static byte[] text(Object value) {
        return String.valueOf(value).getBytes(StandardCharsets.UTF_8);
    }

    private static ColumnDefinition column(String name, String type, boolean nullable) {
        return new ColumnDefinition(
                name,
                type,
                nullable,
                false,
                null,
                type.startsWith("varchar") ? "utf8mb4_general_ci" : null,
                null,
                false,
                null);
    }

    private boolean isShort(String sql, SqlValue... values) {
        StatementCall call = new StatementCall("shop", sql, Arrays.asList(values), false, 2, false);
        assertThat(engine.isShort(call)).as("before it was planned").isFalse();
        for (int i = 0; i < 2; i++) {
            SnapshotAccess access = new SnapshotAccess(store, VersionVector.EMPTY.with(1, 1));
            assertThat(engine.read(access, call, packets -> {}))
                    .isInstanceOf(ReplicaReply.Rows.class);
        }
        return engine.isShort(call);
    }

    @Test
    void aRowByItsPrimaryKeyIsShort() {
        assertThat(isShort("SELECT code FROM item WHERE id = ?", SqlValue.of(5))).isTrue();
        assertThat(isShort("SELECT * FROM item WHERE id = ? AND author = ?", one(), one()))
                .isTrue();
    }

    @Test
    void anotherTypeOfValueIsAnotherPlan() {
        assertThat(isShort("SELECT code FROM item WHERE id = ?", SqlValue.of(5))).isTrue();
        StatementCall text =
                new StatementCall(
                        "shop",
                        "SELECT code FROM item WHERE id = ?",
                        List.of(SqlValue.of("5")),
                        false,
                        2,
                        false);
        assertThat(engine.isShort(text)).isFalse();
    }

    private static SqlValue one() {
        return SqlValue.of(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT code FROM item WHERE id > ?",
                "SELECT code FROM item WHERE id <> ?",
                "SELECT code FROM item WHERE author = ?",
                "SELECT code FROM item WHERE shelf = ?",
                "SELECT code FROM item WHERE id + 0 = ?",
                "SELECT code FROM item WHERE id = ? OR author = 3",
                "SELECT code FROM item WHERE id IN (1, 2, 3) AND author = ?",
                "SELECT COUNT(*) FROM item WHERE id <> ?",
                "SELECT author FROM item WHERE id = ? AND code LIKE '%c%c%'",
                "SELECT author FROM item WHERE id = ? AND NOT (author = 3 OR code LIKE '%c%c%')",
                "SELECT code LIKE '%c%c%' FROM item WHERE id = ?",
                "SELECT UPPER(code) FROM item WHERE id = ?",
                "SELECT a.code FROM item a JOIN item b ON b.author = a.author WHERE a.id = ?",
                "SELECT code FROM item WHERE id = (SELECT MAX(author) FROM item WHERE shelf < ?)",
                "SELECT code FROM item WHERE author <> ? ORDER BY id LIMIT 1"
            })
    void whatMayReadMoreIsNot(String sql) {
        assertThat(isShort(sql, one())).isFalse();
    }
}
