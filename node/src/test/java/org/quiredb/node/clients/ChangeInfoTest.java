package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What clients show behind the count of a change: `Records: 2 Duplicates: 1 Warnings: 0`.
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

    @BeforeEach
    void make() throws IOException {
        for (PacketClient side : new PacketClient[] {tier, server}) {
            String _ = side.info("CREATE DATABASE IF NOT EXISTS told");
            String _ = side.info("CREATE OR REPLACE TABLE told.t (id INT PRIMARY KEY, v INT)");
            String _ = side.info("INSERT INTO told.t VALUES (1, 1), (2, 2), (3, 3)");
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
                "INSERT INTO told.t VALUES (1, 5), (5, 5) ON DUPLICATE KEY UPDATE v = VALUES(v)",
                "INSERT INTO told.t VALUES (1, 1), (5, 5) ON DUPLICATE KEY UPDATE v = VALUES(v)",
                "INSERT INTO told.t VALUES (1, 7) ON DUPLICATE KEY UPDATE v = VALUES(v)",
                "REPLACE INTO told.t VALUES (1, 9), (6, 6)",
                "REPLACE INTO told.t VALUES (1, 9)",
                "INSERT INTO told.t SET id = 30",
                "UPDATE told.t SET v = 2",
                "UPDATE told.t SET v = 2 WHERE id = 99",
                "DELETE FROM told.t",
            })
    void isTheServers(String sql) throws IOException {
        assertThat(tier.info(sql)).isEqualTo(server.info(sql));
    }
}
