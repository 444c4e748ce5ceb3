package org.quiredb.node.hostile;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Connects, does harm for a while and leaves, over and over.
///
/// Threads: one.
final class HostileClient implements Runnable {
    private static final int TIMEOUT_MILLIS = 4_000;
    private static final int AT_ONCE = 12;
    private static final int LONGEST_BURST = 30;

    /// What most bent packets name: there it is the packet that is bent, and a tier that runs
    /// statements all the time reads few packets.
    private static final List<String> BRIEF =
            List.of(
                    "SELECT 1",
                    "SELECT s FROM t WHERE id = 2",
                    "SELECT * FROM t WHERE id = ?",
                    "SET @a = 7",
                    "BEGIN",
                    "COMMIT",
                    "UPDATE t SET v = v + 1 WHERE id = ?");

    private static final int UNKNOWN = 1 << 20;

    /// The host that many wrong passwords come from.
    private static final byte[] GUESSER = {127, 0, 0, 9};

    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final int number;
    private final int port;
    private final Random random;
    private final Statements statements;
    private final Packets packets;
    private final Places places;
    private final Sightings sightings;
    private final BooleanSupplier goesOn;

    HostileClient(
            int number,
            int port,
            long seed,
            Statements texts,
            Places places,
            Sightings sightings,
            BooleanSupplier goesOn) {
        this.number = number;
        this.port = port;
        this.places = places;
        this.sightings = sightings;
        this.goesOn = goesOn;
        random = new Random(seed);
        statements = texts.with(random);
        packets = new Packets(random);
    }

    @Override
    public void run() {
        while (goesOn.getAsBoolean()) {
            try {
                live();
            } catch (IOException e) {
                // it was thrown out, or waited long enough; so the next life begins
            } catch (RuntimeException | Error e) {
                sightings.wrong("client " + number + " met " + e);
            }
        }
    }

    private void live() throws IOException {
        int kind = random.nextInt(20);
        if (kind < 3) {
            beforeLogin();
            return;
        }
        try (Wire wire = connect()) {
            switch (kind) {
                case 3 -> withoutReading(wire);
                case 4 -> slowly(wire);
                case 5, 6 -> prepared(wire);
                case 7, 8, 9 -> statements(wire);
                default -> bentPackets(wire);
            }
            if (random.nextInt(3) == 0) {
                wire.vanish();
            }
        }
    }

    /// From a host of its own: who guesses is slowed down by its host, and what is to be found here
    /// is more than that.
    private Wire connect() throws IOException {
        byte[] from = {127, (byte) random.nextInt(256), (byte) random.nextInt(256), 7};
        return new Wire(port, InetAddress.getByAddress(from), TIMEOUT_MILLIS);
    }

    private void beforeLogin() throws IOException {
        List<Wire> wires = new ArrayList<>();
        try {
            for (int i = 0; i < AT_ONCE && goesOn.getAsBoolean(); i++) {
                wires.add(random.nextInt(100) == 0 ? guesser() : connect());
            }
            for (Wire wire : wires) {
                byte[] response = Wire.response(wire.read(), "quire", password(), true);
                sightings.packetsBeforeLogin.sent(1);
                wire.raw(
                        random.nextInt(10) == 0
                                ? packets.lying(1, response)
                                : packets.bent(1, response));
            }
            for (Wire wire : wires) {
                if (random.nextInt(20) == 0) {
                    wire.vanish();
                } else if (wire.end().awaited()) {
                    sightings.packetsBeforeLogin.read(1);
                }
            }
        } finally {
            for (Wire wire : wires) {
                wire.close();
            }
        }
    }

    private Wire guesser() throws IOException {
        return new Wire(port, InetAddress.getByAddress(GUESSER), TIMEOUT_MILLIS);
    }

    private String password() {
        return random.nextBoolean() ? "quire" : "wrong";
    }

    /// Many at once: nobody knows how many answers there are, so what comes is taken until the one
    /// that tells that all were read.
    private void bentPackets(Wire wire) throws IOException {
        enter(wire);
        for (int i = 0; i < 40 && goesOn.getAsBoolean(); i++) {
            ByteArrayOutputStream burst = new ByteArrayOutputStream();
            boolean brief = random.nextInt(15) > 0;
            int count = 1 + random.nextInt(LONGEST_BURST);
            String sql = "";
            for (int sent = 0; sent < count; sent++) {
                if (sent % 4 == 0) {
                    sql = brief ? BRIEF.get(random.nextInt(BRIEF.size())) : statements.next(places);
                    sightings.sent(number, "bent " + sql);
                }
                burst.writeBytes(packets.bent(0, packets.command(sql, 1 + random.nextInt(3))));
            }
            sightings.packetsAfterLogin.sent(count);
            wire.raw(burst.toByteArray());
            Wire.Heard heard = wire.fence(random.nextInt(UNKNOWN, Integer.MAX_VALUE));
            sightings.heard(sql, heard.text());
            if (!heard.awaited()) {
                return; // one of them has ended the connection, and nobody knows which
            }
            sightings.packetsAfterLogin.read(count);
        }
        sightings.packetsAfterLogin.sent(1);
        wire.raw(packets.lying(0, packets.command("SELECT 1", 1)));
        if (wire.end().awaited()) {
            sightings.packetsAfterLogin.read(1);
        }
    }

    /// Values of any type for statements of the right form.
    private void prepared(Wire wire) throws IOException {
        enter(wire);
        for (int i = 0; i < 20 && goesOn.getAsBoolean(); i++) {
            String sql = statements.next(places).replaceFirst("= *('[^']*'|\\d+)", "= ?");
            sightings.sent(number, "prepare " + sql);
            sightings.statements.sent(1);
            Wire.Prepared statement = wire.prepare(sql);
            sightings.answered(sql, statement.answer());
            sightings.statements.read(1);
            for (int times = 3; times > 0 && statement.answer().error() == 0; times--) {
                if (random.nextInt(4) == 0) {
                    wire.raw(Wire.packet(0, packets.longData(statement.id())));
                }
                sightings.packetsAfterLogin.sent(1);
                wire.send(0, packets.execute(statement.id(), statement.parameters()));
                sightings.answered(sql, wire.answer());
                sightings.packetsAfterLogin.read(1);
            }
            wire.raw(Wire.packet(0, Packets.numbered(0x19, statement.id())));
        }
    }

    /// Many commands at once, of whose answers few are fetched.
    private void withoutReading(Wire wire) throws IOException {
        enter(wire);
        for (int i = 0; i < 40; i++) {
            String sql = statements.next(places);
            sightings.sent(number, sql);
            sightings.statements.sent(1);
            wire.send(0, ("\3" + sql).getBytes(StandardCharsets.UTF_8));
        }
        for (int i = random.nextInt(40); i > 0; i--) {
            sightings.answered("one of many", wire.answer());
            sightings.statements.read(1);
        }
    }

    /// A packet byte by byte, and a result that is hardly read.
    private void slowly(Wire wire) throws IOException {
        enter(wire);
        String sql = "SELECT a.s, b.s, c.s FROM t a, t b, t c, t d";
        sightings.sent(number, sql);
        byte[] packet = Wire.packet(0, ("\3" + sql).getBytes(StandardCharsets.UTF_8));
        for (byte one : packet) {
            wire.raw(new byte[] {one});
            LockSupport.parkNanos(SLOW_NANOS / 10);
        }
        for (int i = 0; i < 50 && goesOn.getAsBoolean(); i++) {
            wire.read();
            LockSupport.parkNanos(SLOW_NANOS);
        }
    }

    private void statements(Wire wire) throws IOException {
        enter(wire);
        boolean transaction = random.nextBoolean();
        for (int i = 0; i < 50 && goesOn.getAsBoolean(); i++) {
            if (transaction && i % 10 == 0) {
                ask(wire, random.nextInt(3) == 0 ? "START TRANSACTION READ ONLY" : "BEGIN");
            }
            sightings.statements.sent(1);
            ask(wire, statements.next(places));
            sightings.statements.read(1);
            if (transaction && i % 10 == 9) {
                ask(wire, random.nextBoolean() ? "COMMIT" : "ROLLBACK");
            }
        }
    }

    private void ask(Wire wire, String sql) throws IOException {
        sightings.sent(number, sql);
        sightings.answered(sql, wire.query(sql));
    }

    private void enter(Wire wire) throws IOException {
        if (!wire.login("quire", "quire")) {
            throw new IOException("not let in");
        }
        String database = "h" + random.nextInt(HostileTest.DATABASES);
        if (random.nextInt(10) == 0) {
            for (String sql : HostileTest.tables(database)) {
                ask(wire, sql);
            }
        }
        ask(wire, "USE " + database);
    }
}
