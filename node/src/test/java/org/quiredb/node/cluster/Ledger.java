package org.quiredb.node.cluster;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What clients write to a tier that may be killed, and what a database must hold afterwards.
///
/// Each transaction of a client enters its next number in two tables, once with a generated key,
/// and counts it in a third; every third one also deletes the row with the newest generated key
/// that its client knows.
final class Ledger {
    private Ledger() {}

    static void create(Connection connection, int clients) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE ledger");
            statement.execute(
                    """
                    CREATE TABLE ledger.entry (id BIGINT PRIMARY KEY AUTO_INCREMENT,
                        client INT NOT NULL, number INT NOT NULL, at DATETIME(6) NOT NULL,
                        spot POINT NOT NULL)\
                    """);
            statement.execute(
                    """
                    CREATE TABLE ledger.journal (client INT NOT NULL, number INT NOT NULL,
                        id BIGINT NOT NULL, PRIMARY KEY (client, number))\
                    """);
            statement.execute(
                    "CREATE TABLE ledger.total (client INT PRIMARY KEY, entries INT NOT NULL)");
            for (int client = 0; client < clients; client++) {
                statement.execute("INSERT INTO ledger.total VALUES (%d, 0)".formatted(client));
            }
        }
    }

    /// What one client knows: generated keys by number, of transactions that were acknowledged.
    static final class Client {
        private final int client;
        private final SequencedMap<Integer, Long> acknowledged = new TreeMap<>();
        private int attempted;

        Client(int client) {
            this.client = client;
        }

        int acknowledged() {
            return acknowledged.size();
        }

        long newestKey() {
            return acknowledged.lastEntry().getValue();
        }

        long highestKey() {
            return acknowledged.values().stream().mapToLong(Long::longValue).max().orElse(0);
        }

        void commitNext(Connection connection) throws SQLException {
            int number = attempted + 1;
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate(
                        "INSERT INTO ledger.entry (client, number, at, spot) VALUES (%d, %d, NOW(6), X'%s')"
                                .formatted(client, number, spot(number)),
                        Statement.RETURN_GENERATED_KEYS);
                long key = key(statement);
                statement.executeUpdate(
                        "INSERT INTO ledger.journal VALUES (%d, %d, %d)"
                                .formatted(client, number, key));
                statement.executeUpdate(
                        "UPDATE ledger.total SET entries = entries + 1 WHERE client = " + client);
                if (deletes(number)) {
                    statement.executeUpdate("DELETE FROM ledger.entry WHERE id = " + key);
                }
                attempted = number;
                connection.commit();
                acknowledged.put(number, key);
            }
        }

        /// After a crash: everything acknowledged is there, whole, and at most the one transaction
        /// whose commit got no answer besides; this is what the client goes on from.
        ///
        /// @return what is wrong, in words
        List<String> check(Connection connection) throws SQLException {
            List<String> wrong = new ArrayList<>();
            SequencedMap<Integer, Long> journal = new TreeMap<>();
            List<Integer> entries = new ArrayList<>();
            long total;
            try (Statement statement = connection.createStatement()) {
                try (ResultSet rows =
                        statement.executeQuery(
                                "SELECT number, id FROM ledger.journal WHERE client = " + client)) {
                    while (rows.next()) {
                        journal.put(rows.getInt(1), rows.getLong(2));
                    }
                }
                try (ResultSet rows =
                        statement.executeQuery(
                                "SELECT number, spot FROM ledger.entry WHERE client = %d ORDER BY number"
                                        .formatted(client))) {
                    while (rows.next()) {
                        entries.add(rows.getInt(1));
                        String spot = HexFormat.of().formatHex(rows.getBytes(2));
                        if (!spot.equals(spot(rows.getInt(1)))) {
                            wrong.add("client %d: %s is not its spot".formatted(client, spot));
                        }
                    }
                }
                try (ResultSet row =
                        statement.executeQuery(
                                "SELECT entries FROM ledger.total WHERE client = " + client)) {
                    row.next();
                    total = row.getLong(1);
                }
            }
            acknowledged.forEach((number, key) -> {
                if (!key.equals(journal.get(number))) {
                    wrong.add(
                            "client %d: number %d was acknowledged with key %d, found %s"
                                    .formatted(client, number, key, journal.get(number)));
                }
            });
            if (!journal.isEmpty() && journal.lastEntry().getKey() > attempted) {
                wrong.add("client %d never entered %s".formatted(client, journal.lastEntry()));
            }
            if (total != journal.size()) {
                wrong.add(
                        "client %d: %d counted, %d found".formatted(client, total, journal.size()));
            }
            if (!entries.equals(journal.keySet().stream().filter(n -> !deletes(n)).toList())) {
                wrong.add("client %d: half a transaction, see %s".formatted(client, entries));
            }
            return wrong;
        }

        /// Takes over what a check has found right.
        void goOn(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet last =
                            statement.executeQuery(
                                    "SELECT number, id FROM ledger.journal WHERE client = %d AND number > %d"
                                            .formatted(client, acknowledged.size()))) {
                while (last.next()) {
                    acknowledged.put(last.getInt(1), last.getLong(2));
                }
            }
            attempted = acknowledged.size();
        }

        /// POINT(number, 0) as a server keeps it.
        private static String spot(int number) {
            ByteBuffer bytes = ByteBuffer.allocate(25).order(ByteOrder.LITTLE_ENDIAN);
            bytes.putInt(0).put((byte) 1).putInt(1).putDouble(number).putDouble(0);
            return HexFormat.of().formatHex(bytes.array());
        }

        private static boolean deletes(int number) {
            return number % 3 == 0;
        }

        private static long key(Statement statement) throws SQLException {
            try (ResultSet keys = statement.getGeneratedKeys()) {
                keys.next();
                return keys.getLong(1);
            }
        }
    }
}
