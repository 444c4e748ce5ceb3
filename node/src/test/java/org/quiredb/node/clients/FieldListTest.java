package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.node.hostile.Wire;

/// COM_FIELD_LIST, by which `mysql` learns what it completes names of columns with.
@ExtendWith(BothSides.class)
@Tag("slow")
final class FieldListTest {
    private static final byte INIT_DB = 0x02;
    private static final byte FIELD_LIST = 0x04;
    private static final int EOF = 0xFE;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "listed\0",
                "listed\0%",
                "listed\0_D%",
                "listed\0none",
                "seen\0",
                "lis`ted\0",
                "not there\0"
            })
    void columnsAreThoseOfMariaDb(String asked, BothSides.Ports ports) throws Exception {
        for (int port : List.of(ports.quire(), ports.mariaDb())) {
            try (Connection connection =
                            DriverManager.getConnection(
                                    "jdbc:mysql://127.0.0.1:" + port + "/",
                                    BothSides.USER,
                                    BothSides.PASSWORD);
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE DATABASE IF NOT EXISTS fields");
                statement.execute(
                        "CREATE TABLE IF NOT EXISTS fields.listed (id INT PRIMARY KEY AUTO_INCREMENT, Name VARCHAR(20) DEFAULT 'a', made DATETIME NULL)");
                statement.execute("CREATE TABLE IF NOT EXISTS fields.`lis``ted` (x INT)");
                statement.execute(
                        "CREATE OR REPLACE VIEW fields.seen AS SELECT name, id + 1 FROM fields.listed");
            }
        }

        assertThat(fields(ports.quire(), asked)).isEqualTo(fields(ports.mariaDb(), asked));
    }

    private static List<String> fields(int port, String asked) throws IOException {
        List<String> fields = new ArrayList<>();
        try (Wire wire = new Wire(port, InetAddress.getLoopbackAddress(), 10_000)) {
            assertThat(wire.login(BothSides.USER, BothSides.PASSWORD)).isTrue();
            wire.send(0, command(INIT_DB, "fields"));
            byte[] _ = wire.read();
            wire.send(0, command(FIELD_LIST, asked));
            byte[] packet = wire.read();
            while ((packet[0] & 0xFF) < EOF) {
                ColumnMetadata column = ColumnMetadata.read(packet);
                // of views servers tell types that their queries do not have
                fields.add(asked.startsWith("seen") ? column.name() : column.toString());
                packet = wire.read();
            }
            boolean failed = packet.length > 9;
            fields.add(failed ? "error " + ((packet[1] & 0xFF) | (packet[2] & 0xFF) << 8) : "end");
        }
        return fields;
    }

    private static byte[] command(byte kind, String text) {
        return ((char) kind + text).getBytes(StandardCharsets.UTF_8);
    }
}
