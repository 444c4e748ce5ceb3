package org.quiredb.node.hostile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Connects, does harm for a while and leaves, over and over.
///
/// Threads: one.
final class HostileClient implements Runnable {
    private static final int TIMEOUT_MILLIS = 4_000;
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
            try (Wire wire = new Wire(port, TIMEOUT_MILLIS)) {
                live(wire);
            } catch (IOException e) {
                // it was thrown out, or waited long enough; so the next life begins
            } catch (RuntimeException | Error e) {
                sightings.wrong("client " + number + " met " + e);
            }
        }
    }

    private void live(Wire wire) throws IOException {
        switch (random.nextInt(12)) {
            case 0, 1 -> beforeLogin(wire);
            case 2, 3 -> bentPackets(wire);
            case 4 -> prepared(wire);
            case 5 -> withoutReading(wire);
            case 6 -> slowly(wire);
            default -> statements(wire);
        }
        if (random.nextInt(3) == 0) {
            wire.vanish();
        }
    }

    private void beforeLogin(Wire wire) throws IOException {
        byte[] greeting = wire.read();
        byte[] response =
                Wire.response(greeting, "quire", random.nextBoolean() ? "quire" : "wrong", true);
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            sightings.packets.incrementAndGet();
            wire.raw(packets.bent(1, response));
        }
        if (random.nextInt(10) == 0) {
            wire.read(); // until one of both has had enough
        }
    }

    /// Nobody knows how many answers there are: what is there is taken, whatever it is.
    private void bentPackets(Wire wire) throws IOException {
        enter(wire);
        for (int i = 0; i < 40 && goesOn.getAsBoolean(); i++) {
            String sql = statements.next(places);
            for (int burst = 1 + random.nextInt(10); burst > 0; burst--) {
                byte[] command = packets.command(sql, 1 + random.nextInt(3));
                sightings.packets.incrementAndGet();
                wire.raw(packets.bent(0, command));
            }
            sightings.sent(number, "bent " + sql);
            sightings.answered(sql, wire.drain());
        }
    }

    /// Values of any type for statements of the right form.
    private void prepared(Wire wire) throws IOException {
        enter(wire);
        for (int i = 0; i < 20 && goesOn.getAsBoolean(); i++) {
            String sql = statements.next(places).replaceFirst("= *('[^']*'|\\d+)", "= ?");
            sightings.sent(number, "prepare " + sql);
            Wire.Prepared statement = wire.prepare(sql);
            sightings.answered(sql, statement.answer());
            for (int times = 3; times > 0 && statement.answer().error() == 0; times--) {
                sightings.packets.incrementAndGet();
                if (random.nextInt(4) == 0) {
                    wire.raw(Wire.packet(0, packets.longData(statement.id())));
                }
                wire.send(0, packets.execute(statement.id(), statement.parameters()));
                sightings.answered(sql, wire.answer());
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
            wire.send(0, ("\3" + sql).getBytes(StandardCharsets.UTF_8));
        }
        for (int i = random.nextInt(40); i > 0; i--) {
            wire.answer();
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
            ask(wire, statements.next(places));
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
