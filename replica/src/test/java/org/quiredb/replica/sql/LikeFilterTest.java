package org.quiredb.replica.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.SnapshotAccess;

/// The same search with and without rows passed over on their bytes.
class LikeFilterTest {
    private static final int ROWS = 300;
    private static final List<String> PATTERNS =
            List.of(
                    "%ab%",
                    "%AB%",
                    "%b%",
                    "%é%",
                    "%e%",
                    "%k%",
                    "ab%",
                    "%ab",
                    "%a_b%",
                    "%a%b%",
                    "%%",
                    "%",
                    "ab",
                    "",
                    "%100\\%%",
                    "%ß%",
                    "%bca%");

    private final PageStore store = new PageStore();
    private final SqlEngine engine = new SqlEngine(store);
    private final PageAccess snapshot =
            new SnapshotAccess(store, VersionVector.EMPTY.with(1, 1).with(2, 1));

    @BeforeEach
    void load() {
        SplittableRandom random = new SplittableRandom(7);
        engine.apply(new SchemaChange.CreateSchema("shop"));
        engine.apply(new SchemaChange.CreateTable(1, table("t")));
        engine.apply(new SchemaChange.CreateTable(2, table("u")));
        LoadAccess load = new LoadAccess(store, 1);
        for (int tableId = 1; tableId <= 2; tableId++) {
            List<List<byte @Nullable []>> rows = new ArrayList<>();
            for (int key = 1; key <= ROWS; key++) {
                List<byte @Nullable []> row = new ArrayList<>();
                row.add(String.valueOf(key).getBytes(StandardCharsets.UTF_8));
                row.add(text(random));
                row.add(text(random));
                rows.add(row);
            }
            engine.load(load, tableId, rows);
        }
        load.finish();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static byte @Nullable [] text(SplittableRandom random) {
        if (random.nextInt(10) == 0) {
            return null;
        }
        String letters = "abcABC1é\u212A%_\u00DFE";
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(12);
        for (int i = 0; i < length; i++) {
            int letter = random.nextInt(random.nextBoolean() ? 6 : letters.length());
            text.append(letters.charAt(letter));
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static TableDefinition table(String name) {
        return new TableDefinition(
                "shop",
                name,
                List.of(
                        column("id", "int(11)", null),
                        column("folded", "varchar(60)", "utf8mb4_general_ci"),
                        column("exact", "varchar(60)", "utf8mb4_bin")),
                List.of(
                        new IndexDefinition("PRIMARY", true, List.of("id")),
                        new IndexDefinition("folded", false, List.of("folded"))),
                List.of(),
                List.of(),
                ROWS + 1);
    }

    private static ColumnDefinition column(String name, String type, @Nullable String collation) {
        return new ColumnDefinition(
                name, type, collation != null, false, null, collation, null, false, null);
    }

    /// `{}` is the column: as a scan knows it, and as none does.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT id FROM t WHERE {} LIKE ? ORDER BY id",
                "SELECT id FROM t WHERE {} NOT LIKE ? ORDER BY id",
                "SELECT id FROM t WHERE {} LIKE ? AND id > 20 AND id < 200 ORDER BY id",
                "SELECT id FROM t WHERE {} LIKE ? OR id = 5 ORDER BY id",
                "SELECT id FROM t WHERE NOT ({} LIKE ?) ORDER BY id",
                "SELECT COUNT(*) FROM t WHERE {} LIKE ?",
                "SELECT a.id, b.id FROM t a, t b WHERE a.id = b.id + 1 AND a.{} LIKE ? ORDER BY a.id",
                "SELECT t.id, u.id FROM t JOIN u ON t.id = u.id WHERE u.{} LIKE ? ORDER BY t.id",
                "SELECT t.id, u.id FROM t LEFT JOIN u ON t.id = u.id AND u.id < 99 WHERE u.{} LIKE ? ORDER BY t.id",
                "SELECT t.id, u.id FROM t LEFT JOIN u ON t.id = u.id AND u.{} LIKE ? ORDER BY t.id",
                "SELECT id FROM t WHERE id IN (SELECT id FROM u WHERE {} LIKE ?) ORDER BY id",
                "SELECT id FROM t WHERE {} LIKE ? AND EXISTS (SELECT 1 FROM t i WHERE i.id = t.id + 1) ORDER BY id",
                "SELECT id FROM t WHERE {} LIKE ? UNION ALL SELECT id FROM u WHERE id < 5 ORDER BY id"
            })
    void findsTheSameRows(String sql) {
        for (String column : List.of("folded", "exact")) {
            for (String pattern : PATTERNS) {
                SqlValue value = new SqlValue.StringValue(pattern);
                assertThat(rows(sql.replace("{}", column), value))
                        .as("%s LIKE '%s': %s", column, pattern, sql)
                        .isEqualTo(rows(opaque(sql, column), value));
            }
        }
    }

    /// `t.folded LIKE ?` becomes the same as a value, of which no scan knows anything either.
    private static String opaque(String sql, String column) {
        return sql.replaceAll(
                "((?:\\w+\\.)?)\\{} (NOT )?LIKE \\?",
                "CASE WHEN $1%1$s IS NULL THEN NULL WHEN $1%1$s $2LIKE ? THEN 1 ELSE 0 END = 1"
                        .formatted(column));
    }

    private String rows(String sql, SqlValue... values) {
        StringBuilder packets = new StringBuilder();
        ReplicaReply reply =
                engine.read(
                        snapshot,
                        new StatementCall("shop", sql, List.of(values), false, 2, false),
                        part -> packets.append(new String(part, StandardCharsets.ISO_8859_1)));
        assertThat(reply).as(sql).isInstanceOf(ReplicaReply.Rows.class);
        return packets.toString();
    }
}
