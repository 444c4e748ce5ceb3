package org.quiredb.replica.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
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

/// A query whose rows go straight from pages to packets answers with the same bytes as one that H2
/// makes a result of: that is what sorting by a column of no index brings about.
class DirectQueryTest {
    private static final String[] TYPES = {
        "tinyint(4)",
        "tinyint(3) unsigned",
        "smallint(6)",
        "mediumint(9)",
        "int(11)",
        "int(10) unsigned",
        "bigint(20)",
        "bigint(20) unsigned",
        "year(4)",
        "bit(12)",
        "decimal(15,2)",
        "decimal(5,0)",
        "decimal(30,10)",
        "float",
        "double",
        "date",
        "datetime",
        "datetime(6)",
        "time",
        "char(10)",
        "varchar(300)",
        "text",
        "binary(4)",
        "varbinary(20)",
        "blob"
    };
    private static final @Nullable String[][] ROWS = {
        {
            "-128",
            "255",
            "-32768",
            "-8388608",
            "-2147483648",
            "4294967295",
            "-9223372036854775808",
            "18446744073709551615",
            "2026",
            "\u0001\u0002",
            "-0.05",
            "-99999",
            "12345678901234567890.0123456789",
            "1.5",
            "-2.25",
            "2026-02-03",
            "2026-02-03 04:05:06",
            "2026-02-03 04:05:06.000007",
            "10:11:12",
            "ten",
            "É" + "x".repeat(280),
            "",
            "ab\u0000c",
            "\u0000",
            "blob"
        },
        {
            "0",
            "0",
            "0",
            "0",
            "0",
            "0",
            "9223372036854775807",
            "0",
            "1901",
            "\u0000\u0000",
            "1234567890123.45",
            "0",
            "0.0000000001",
            "0",
            "0",
            "0000-00-00",
            "0000-00-00 00:00:00",
            "2026-02-03 00:00:00.000000",
            "00:00:00",
            "",
            "",
            "text",
            "abcd",
            "",
            ""
        },
        new String[TYPES.length]
    };

    private final PageStore store = new PageStore();
    private final SqlEngine engine = new SqlEngine(store);
    private final PageAccess snapshot = new SnapshotAccess(store, VersionVector.EMPTY.with(1, 1));

    @BeforeEach
    void load() {
        List<ColumnDefinition> columns = new ArrayList<>();
        columns.add(column("id", "int(11)"));
        for (int i = 0; i < TYPES.length; i++) {
            columns.add(column("c" + i, TYPES[i]));
        }
        engine.apply(new SchemaChange.CreateSchema("shop"));
        engine.apply(
                new SchemaChange.CreateTable(
                        1,
                        new TableDefinition(
                                "shop",
                                "every",
                                columns,
                                List.of(new IndexDefinition("PRIMARY", true, List.of("id"))),
                                List.of(),
                                List.of(),
                                0)));
        LoadAccess load = new LoadAccess(store, 1);
        List<List<byte @Nullable []>> rows = new ArrayList<>();
        for (int i = 0; i < ROWS.length; i++) {
            List<byte @Nullable []> row = new ArrayList<>();
            row.add(bytes(String.valueOf(i)));
            for (@Nullable String value : ROWS[i]) {
                row.add(value == null ? null : bytes(value));
            }
            rows.add(row);
        }
        engine.load(load, 1, rows);
        load.finish();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ColumnDefinition column(String name, String type) {
        boolean text = type.matches("(?:var)?char.*|text");
        return new ColumnDefinition(
                name,
                type,
                !name.equals("id"),
                false,
                null,
                text ? "utf8mb4_general_ci" : null,
                null,
                false,
                null);
    }

    private byte[] packets(String sql, boolean binary) {
        ByteArrayOutputStream packets = new ByteArrayOutputStream();
        ReplicaReply reply =
                engine.read(
                        snapshot,
                        new StatementCall("shop", sql, List.of(SqlValue.of(0)), binary, 2, false),
                        packets::writeBytes);
        assertThat(reply).isInstanceOf(ReplicaReply.Rows.class);
        return packets.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyTypeAndNullsHaveTheSameBytes(boolean binary) {
        for (int round = 0; round < 2; round++) { // the session's memory is used again
            assertThat(packets("SELECT * FROM every WHERE id >= ? ORDER BY id", binary))
                    .isEqualTo(packets("SELECT * FROM every WHERE id >= ? ORDER BY id + 0", binary))
                    .hasSizeGreaterThan(1000);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anOuterJoinsMissingRowAndALimitHaveTheSameBytes(boolean binary) {
        String join =
                "SELECT a.id, b.* FROM every a LEFT JOIN every b ON b.id = a.id + 1"
                        + " WHERE a.id >= ? ORDER BY a.id";
        for (String limit : new String[] {"", " LIMIT 0", " LIMIT 2", " LIMIT 5 OFFSET 1"}) {
            assertThat(packets(join + limit, binary))
                    .isEqualTo(packets(join + " + 0" + limit, binary));
        }
    }
}
