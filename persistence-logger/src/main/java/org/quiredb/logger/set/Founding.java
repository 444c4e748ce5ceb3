package org.quiredb.logger.set;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.quiredb.common.message.TableDigest;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.log.CommitLog;
import org.quiredb.logger.snapshot.BackendSnapshot;
import org.quiredb.logger.snapshot.Digester;

/// What backends must have in common to begin as one set: the log's end, what of it is applied, and
/// every row. It is read once, when the set is made.
final class Founding {
    private Founding() {}

    static void requireAlike(List<Backend> backends) {
        try {
            Backend first = backends.getFirst();
            List<String> log = log(first);
            List<String> data = data(first);
            for (Backend other : backends.subList(1, backends.size())) {
                if (!log(other).equals(log)) {
                    throw StartErrors.different(first.name(), other.name(), "their logs");
                }
                if (!data(other).equals(data)) {
                    throw StartErrors.different(first.name(), other.name(), "their data");
                }
            }
        } catch (SQLException e) {
            throw StartErrors.unreadable(e);
        }
    }

    private static List<String> log(Backend backend) throws SQLException {
        try (Connection connection = backend.connect()) {
            CommitLog log = new CommitLog(connection);
            return List.of(
                    log.topology().toString(),
                    log.schedulers().toString(),
                    log.ends().toString(),
                    "" + log.highestEpoch());
        }
    }

    private static List<String> data(Backend backend) throws SQLException {
        List<String> digests = new ArrayList<>();
        try (BackendSnapshot snapshot = BackendSnapshot.open(backend)) {
            digests.add(snapshot.positions().toString());
            for (TableDefinition table : snapshot.schema().tables()) {
                TableDigest digest = Digester.table(snapshot, table);
                digests.add(
                        String.join(
                                " ",
                                table.withoutCounter().toString(),
                                Long.toString(digest.rows()),
                                Long.toHexString(digest.digest())));
            }
        }
        return digests;
    }
}
