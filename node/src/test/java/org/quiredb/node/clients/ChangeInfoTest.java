package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What clients are told of a change: the count, the id, and `Records: 2 Duplicates: 1 Warnings:
/// 0`.
@Tag("slow")
@ExtendWith(BothSides.class)
final class ChangeInfoTest {
    private static final int UTF8 = 45;
    private final PacketClient tier;
    private final PacketClient server;

    ChangeInfoTest(BothSides.Ports ports) throws IOException {
        tier = new PacketClient(ports.quire(), UTF8);
        server = new PacketClient(ports.mariaDb(), UTF8);
    }

    @BeforeAll
    static void make(BothSides.Ports ports) throws IOException {
        for (int port : List.of(ports.quire(), ports.mariaDb())) {
            try (PacketClient side = new PacketClient(port, UTF8)) {
                String _ = side.info("CREATE OR REPLACE DATABASE told");
                String _ = side.info("CREATE TABLE told.t (id INT PRIMARY KEY, v INT)");
                String _ = side.info("CREATE TABLE told.d (id INT PRIMARY KEY, d DATE)");
                String _ =
                        side.info(
                                "CREATE TABLE told.n"
                                        + " (id INT PRIMARY KEY AUTO_INCREMENT, u INT UNIQUE, v INT)");
            }
        }
    }

    @BeforeEach
    void fill() throws IOException {
        for (PacketClient side : List.of(tier, server)) {
            String _ = side.info("DELETE FROM told.t");
            String _ = side.info("INSERT INTO told.t VALUES (1, 1), (2, 2), (3, 3)");
            String _ = side.info("DELETE FROM told.n");
            String _ = side.info("INSERT INTO told.n VALUES (1, 1, 1), (2, 2, 1)");
        }
    }

    @AfterEach
    void close() throws IOException {
        tier.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO told.t VALUES (4, 1)",
                "INSERT INTO told.t VALUES (4, 1), (5, 1)",
                "INSERT INTO told.t SELECT id + 10, v FROM told.t WHERE id = 1",
                "INSERT INTO told.t SELECT id + 10, v FROM told.t WHERE id = 99",
                "INSERT IGNORE INTO told.t VALUES (1, 1), (4, 4)",
                "INSERT IGNORE INTO told.t VALUES (1, 1)",
                "INSERT IGNORE INTO told.t SELECT id + 1, 5 FROM told.t",
                "INSERT IGNORE INTO told.d SELECT v DIV 4, '2001-02-03 04:05:06' FROM told.t",
                "INSERT INTO told.t VALUES (1, 5), (5, 5) ON DUPLICATE KEY UPDATE v = VALUES(v)",
                "INSERT INTO told.t VALUES (1, 1), (5, 5) ON DUPLICATE KEY UPDATE v = VALUES(v)",
                "INSERT INTO told.t VALUES (1, 7) ON DUPLICATE KEY UPDATE v = VALUES(v)",
                "INSERT INTO told.t SELECT id, 1 FROM told.t x ON DUPLICATE KEY UPDATE v = VALUES(v)",
                "REPLACE INTO told.t VALUES (1, 9), (6, 6)",
                "REPLACE INTO told.t VALUES (1, 9)",
                "INSERT INTO told.t SET id = 30",
                "UPDATE told.t SET v = 2",
                "UPDATE told.t SET v = 2 WHERE id = 99",
                "DELETE FROM told.t",
                "UPDATE IGNORE told.n SET u = 2",
                "UPDATE IGNORE told.n SET id = id + 1 ORDER BY id",
                "UPDATE IGNORE told.n JOIN told.t ON t.id = n.id SET n.u = 2",
                "UPDATE told.t LEFT JOIN told.n ON n.id = t.id + 1 SET n.v = 77",
                "UPDATE told.n RIGHT JOIN told.t ON n.id = t.id + 100 SET n.v = 77",
                "REPLACE INTO told.n VALUES (1, 1, 1)",
                "REPLACE INTO told.n VALUES (1, 1, 1), (2, 2, 1)",
                "REPLACE INTO told.t VALUES (1, 1)",
                "INSERT IGNORE INTO told.n SELECT * FROM told.n x",
                "INSERT INTO told.n SELECT * FROM told.n x ON DUPLICATE KEY UPDATE v = 1",
                "INSERT INTO told.n SELECT * FROM told.n x ON DUPLICATE KEY UPDATE v = 3",
            })
    void isTheServers(String sql) throws IOException {
        assertThat(tier.info(sql)).isEqualTo(server.info(sql));
    }

    /// Ids that are given, are in the way or are generated, of rows that come, change, stay as they
    /// are or are left out. Each statement finds the counter ahead of all ids before, so that
    /// nobody has to set it back, which is a change of the schema.
    @Test
    void idsAreTheServers() throws IOException {
        List<String> ids = List.of("%1$d", "%2$d", "NULL", "0");
        List<String> others = List.of("1", "2", "5");
        List<String> rows = new ArrayList<>();
        for (String id : ids) {
            for (String other : others) {
                rows.add("(%s, %s, 1)".formatted(id, other));
                rows.add("(%%3$d, 30, 1), (%s, %s, 1)".formatted(id, other));
                rows.add("(%s, %s, 1), (NULL, 40, 1)".formatted(id, other));
                rows.add("(%s, %s, 1), (NULL, 2, 1)".formatted(id, other));
                rows.add("(NULL, 50, 1), (%s, %s, 1), (NULL, 40, 1)".formatted(id, other));
            }
        }
        List<String> told = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        int first = 101;
        for (String row : rows) {
            for (String statement :
                    List.of(
                            "INSERT INTO told.n VALUES " + row,
                            "INSERT IGNORE INTO told.n VALUES " + row,
                            "REPLACE INTO told.n VALUES " + row,
                            "INSERT INTO told.n VALUES " + row + " ON DUPLICATE KEY UPDATE v = 1",
                            "INSERT INTO told.n VALUES "
                                    + row
                                    + " ON DUPLICATE KEY UPDATE v = 2")) {
                String sql = statement.formatted(first, first + 8, first + 29);
                told.add(sql + " " + told(tier, first, sql));
                expected.add(sql + " " + told(server, first, sql));
                first += 100;
            }
        }
        assertThat(told).isEqualTo(expected);
    }

    private static String told(PacketClient side, int first, String sql) throws IOException {
        String _ = side.info("DELETE FROM told.n");
        String _ = side.info("DO LAST_INSERT_ID(7)");
        String _ =
                side.info(
                        "INSERT INTO told.n VALUES (%d, 1, 1), (%d, 2, 1)"
                                .formatted(first, first + 1));
        String told = side.info(sql);
        if (told.startsWith("ff")) {
            return told;
        }
        List<String> last = side.query("SELECT LAST_INSERT_ID()".getBytes(StandardCharsets.UTF_8));
        return told + " " + last.getLast();
    }
}
