package org.quiredb.logger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.snapshot.BackendSnapshot;

/// On a real server whose tables are made anew beside it.
@Tag("slow")
class BackendSnapshotTest {
    private final TestServer server = TestServer.get();
    private final Backend backend = new Backend(0, server.address());

    BackendSnapshotTest() throws Exception {}

    @BeforeEach
    void createTable() throws Exception {
        server.reset();
        server.execute(
                "CREATE DATABASE quire",
                "CREATE TABLE quire.applied (class_name VARCHAR(64), commit_number BIGINT)",
                "CREATE TABLE shop.author (id INT PRIMARY KEY)",
                "INSERT INTO shop.author VALUES (1), (2)");
    }

    @Test
    void aTableThatWasMadeAnewSinceCannotBeHeld() throws Exception {
        try (BackendSnapshot snapshot = BackendSnapshot.open(backend)) {
            List<TableDefinition> tables = snapshot.schema().tables();
            server.execute("OPTIMIZE TABLE shop.author");
            assertThatThrownBy(() -> snapshot.hold(tables))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1412));
        }
    }

    @Test
    void aTableThatIsHeldStaysAsItIs() throws Exception {
        try (BackendSnapshot snapshot = BackendSnapshot.open(backend);
                Connection other = backend.connect();
                Statement statement = other.createStatement()) {
            List<TableDefinition> tables = snapshot.schema().tables();
            snapshot.hold(tables);
            statement.execute("SET lock_wait_timeout = 1");
            assertThatThrownBy(() -> statement.execute("ALTER TABLE shop.author FORCE"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1205));
            List<Integer> columns = new ArrayList<>();
            snapshot.rows(tables.getFirst(), row -> columns.add(row.size()));
            assertThat(columns).containsExactly(1, 1);
        }
    }

    /// For as long as another table is read, which may be hours.
    @Test
    void aTableWhoseTurnIsOverMayBeChanged() throws Exception {
        server.execute("CREATE TABLE shop.book (id INT PRIMARY KEY)");
        try (BackendSnapshot snapshot = BackendSnapshot.open(backend);
                Connection other = backend.connect();
                Statement statement = other.createStatement()) {
            statement.execute("SET lock_wait_timeout = 1");
            List<TableDefinition> tables = snapshot.schema().tables();
            assertThat(tables).extracting(TableDefinition::name).containsExactly("author", "book");
            List<Integer> errors = new ArrayList<>();
            for (TableDefinition table : tables) {
                snapshot.whileHolding(
                        table,
                        held -> {
                            snapshot.rows(held, row -> {});
                            errors.add(change(statement, "author"));
                        });
            }
            assertThat(errors).containsExactly(1205, 0);
        }
    }

    @Test
    void aTableThatWasChangedOrDroppedSinceKeepsNoOtherFromBeingRead() throws Exception {
        for (String table : List.of("book", "chapter", "draft")) {
            server.execute("CREATE TABLE shop." + table + " (id INT PRIMARY KEY)");
        }
        try (BackendSnapshot snapshot = BackendSnapshot.open(backend)) {
            List<TableDefinition> tables = snapshot.schema().tables();
            server.execute("ALTER TABLE shop.book FORCE");
            server.execute("DROP TABLE shop.chapter");
            List<String> unchanged = new ArrayList<>();
            for (TableDefinition table : tables) {
                if (snapshot.whileHolding(table, held -> snapshot.rows(held, row -> {}))) {
                    unchanged.add(table.name());
                }
            }
            assertThat(unchanged).containsExactly("author", "draft");
        }
    }

    private static int change(Statement statement, String table) {
        try {
            statement.execute("ALTER TABLE shop." + table + " COMMENT 'anew'");
            return 0;
        } catch (SQLException e) {
            return e.getErrorCode();
        }
    }
}
