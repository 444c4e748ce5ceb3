package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A result of which packets have gone out before the statement fails: the client sees the rows and
/// then the error, in a packet whose number follows.
@ExtendWith(BothSides.class)
@Tag("slow")
final class BrokenOffResultTest {
    private static final int ROWS = 2_000;

    /// Begins a transaction whose reads wait for others.
    private static final String LOCKING =
            "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE; START TRANSACTION;"
                    + " UPDATE broken.s SET pad = 'y' WHERE id = 1; ";

    @TempDir private Path folder;

    private record Seen(int exitCode, int rows, String errors) {}

    @BeforeEach
    void create(BothSides.Ports ports) throws SQLException {
        for (int port : List.of(ports.quire(), ports.mariaDb())) {
            try (Connection connection = connect(port);
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE DATABASE IF NOT EXISTS broken");
                statement.execute("DROP TABLE IF EXISTS broken.s");
                statement.execute(
                        "CREATE TABLE broken.s(id INT PRIMARY KEY, v VARCHAR(9), pad VARCHAR(200))");
                List<String> rows = new ArrayList<>();
                for (int id = 1; id <= ROWS; id++) {
                    rows.add("(%d, '5', '%s')".formatted(id, "x".repeat(200)));
                }
                statement.execute("INSERT INTO broken.s VALUES " + String.join(",", rows));
                statement.execute("INSERT INTO broken.s VALUES (3000, 'abc', '')");
            }
        }
    }

    @Test
    void aTextThatIsNoNumberBreaksNoResultOff(BothSides.Ports ports) throws Exception {
        String sql = "SELECT id, pad FROM broken.s WHERE v = 5";
        Seen mariaDb = run(ports, ports.mariaDb(), sql);

        assertThat(mariaDb).isEqualTo(new Seen(0, ROWS, ""));
        assertThat(run(ports, ports.quire(), sql)).isEqualTo(mariaDb);
        assertThat(run(ports, ports.quire(), "START TRANSACTION READ ONLY; " + sql))
                .isEqualTo(mariaDb);
        assertThat(run(ports, ports.quire(), "SELECT id, pad FROM broken.s WHERE v = '5'"))
                .isEqualTo(mariaDb);
    }

    /// What only the backend can run is run there.
    @Test
    void anUpdateTransactionGetsAllRows(BothSides.Ports ports) throws Exception {
        Seen quire =
                run(
                        ports,
                        ports.quire(),
                        "START TRANSACTION; UPDATE broken.s SET pad = 'y' WHERE id = 1; SELECT id, pad FROM broken.s WHERE v = 5");

        assertThat(quire).isEqualTo(new Seen(0, ROWS, ""));
    }

    @Test
    void anErrorAfterRowsComesAfterThem(BothSides.Ports ports) throws Exception {
        try (Connection holder = connect(ports.quire());
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("UPDATE broken.s SET pad = 'held' WHERE id = 3000");
            Seen quire = run(ports, ports.quire(), LOCKING + "SELECT id, pad FROM broken.s");

            assertThat(quire.errors()).contains("ERROR 1205");
            assertThat(quire.rows()).isBetween(100, ROWS);
        }
    }

    /// Some clients mind it, others not.
    @Test
    void theErrorAfterRowsHasTheNumberThatFollows(BothSides.Ports ports) throws Exception {
        try (Connection holder = connect(ports.quire());
                Statement statement = holder.createStatement();
                ServerSocket proxy = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            holder.setAutoCommit(false);
            statement.execute("UPDATE broken.s SET pad = 'held' WHERE id = 3000");
            ByteArrayOutputStream seen = new ByteArrayOutputStream();
            Thread pump = Thread.startVirtualThread(() -> pump(proxy, ports.quire(), seen));
            run(ports, proxy.getLocalPort(), LOCKING + "SELECT id, pad FROM broken.s");
            pump.join(10_000);
            assertThat(errorsAfterWhatPrecedesThem(seen.toByteArray())).isEqualTo(1);
        }
    }

    /// Of a server's packets, each with the number that follows.
    private static int errorsAfterWhatPrecedesThem(byte[] packets) {
        int before = -1;
        int errors = 0;
        for (int at = 0; at + 4 < packets.length; ) {
            int length =
                    (packets[at] & 0xFF)
                            | (packets[at + 1] & 0xFF) << 8
                            | (packets[at + 2] & 0xFF) << 16;
            int number = packets[at + 3] & 0xFF;
            if ((packets[at + 4] & 0xFF) == 0xFF) {
                errors++;
                assertThat(number).as("the error's number").isEqualTo((before + 1) & 0xFF);
            }
            before = number;
            at += 4 + length;
        }
        return errors;
    }

    private static void pump(ServerSocket proxy, int port, ByteArrayOutputStream seen) {
        try (Socket client = proxy.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port)) {
            Thread.startVirtualThread(() -> {
                try {
                    client.getInputStream().transferTo(server.getOutputStream());
                    server.shutdownOutput();
                } catch (IOException e) {
                    // it has ended
                }
            });
            byte[] buffer = new byte[65536];
            int read = server.getInputStream().read(buffer);
            while (read >= 0) {
                seen.write(buffer, 0, read);
                client.getOutputStream().write(buffer, 0, read);
                read = server.getInputStream().read(buffer);
            }
        } catch (IOException e) {
            // it has ended
        }
    }

    private static Connection connect(int port) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + port + "/", BothSides.USER, BothSides.PASSWORD);
    }

    private Seen run(BothSides.Ports ports, int port, String sql)
            throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        Path errors = folder.resolve("errors");
        Process client =
                new ProcessBuilder(
                                ports.programs().resolve("mariadb").toString(),
                                "--no-defaults",
                                "--skip-ssl",
                                "--quick", // shows rows as they come
                                "--skip-column-names",
                                "--host=127.0.0.1",
                                "--port=" + port,
                                "--user=" + BothSides.USER,
                                "--password=" + BothSides.PASSWORD,
                                "--execute=" + sql)
                        .redirectOutput(out.toFile())
                        .redirectError(errors.toFile())
                        .start();
        assertThat(client.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Seen(
                client.exitValue(),
                Files.readAllLines(out).size(),
                Files.readString(errors).strip());
    }
}
