package org.quiredb.logger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quiredb.common.schema.CheckDefinition;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.ForeignKeyDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.snapshot.SchemaReader;

/// Reads tables like those of TPC-W from a real server.
@Tag("slow")
class SchemaReaderTest {
    private Map<String, TableDefinition> tables;

    @BeforeEach
    void createTables() throws Exception {
        TestServer server = TestServer.get();
        server.reset();
        server.execute(
                """
                CREATE TABLE shop.author (a_id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
                    a_lname VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'O''Hara',
                    a_bio MEDIUMTEXT, INDEX by_name (a_lname, a_id))\
                """,
                """
                CREATE TABLE shop.item (i_id INT NOT NULL, i_line SMALLINT NOT NULL DEFAULT 3, i_a_id INT UNSIGNED NULL,
                    i_cost DECIMAL(17,2) NOT NULL DEFAULT 0.00, i_isbn CHAR(13) DEFAULT NULL,
                    i_seen TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
                    i_born DATETIME DEFAULT CURRENT_TIMESTAMP, i_kind ENUM('Book','Map') NOT NULL,
                    i_double DECIMAL(17,2) AS (i_cost * 2) STORED,
                    PRIMARY KEY (i_id, i_line), UNIQUE KEY isbn (i_isbn), FULLTEXT KEY kinds (i_isbn),
                    CONSTRAINT item_author FOREIGN KEY (i_a_id) REFERENCES author (a_id) ON DELETE SET NULL ON UPDATE CASCADE,
                    CONSTRAINT positive CHECK (i_cost >= 0))\
                """,
                "ALTER TABLE shop.item ALTER COLUMN i_isbn DROP DEFAULT",
                "INSERT INTO shop.author (a_id) VALUES (41)",
                "CREATE TABLE shop.hidden (id INT PRIMARY KEY, secret INT DEFAULT 7 INVISIBLE)",
                "CREATE VIEW shop.names AS SELECT a_lname FROM shop.author");
        try (Connection connection = new Backend(0, server.address()).connect()) {
            SchemaReader reader = new SchemaReader(connection);
            assertThat(reader.schemas()).containsExactly("shop");
            tables =
                    reader.tables().stream()
                            .collect(Collectors.toMap(TableDefinition::name, Function.identity()));
        }
    }

    @Test
    void viewsAreLeftOut() {
        assertThat(tables).containsOnlyKeys("author", "item", "hidden");
    }

    @Test
    void anInvisibleColumnIsToldFromOthers() {
        assertThat(table("hidden").columns())
                .extracting(ColumnDefinition::name, ColumnDefinition::invisible)
                .containsExactly(tuple("id", false), tuple("secret", true));
    }

    @Test
    void columnsHaveTypesAndDefaults() {
        assertThat(table("author").columns().get(1))
                .isEqualTo(
                        new ColumnDefinition(
                                "a_lname",
                                "varchar(20)",
                                false,
                                false,
                                "utf8mb4",
                                "utf8mb4_bin",
                                "'O''Hara'",
                                false,
                                null));
        assertThat(table("author").columns().getFirst().type()).isEqualTo("int(10) unsigned");
        assertThat(table("author").columns().getFirst().autoIncrement()).isTrue();
        List<ColumnDefinition> item = table("item").columns();
        assertThat(item)
                .extracting(ColumnDefinition::defaultExpression)
                .containsExactly(
                        null,
                        "3",
                        null,
                        "0.00",
                        null,
                        "current_timestamp(6)",
                        "current_timestamp()",
                        null,
                        null);
        assertThat(item.get(5).onUpdateNow()).isTrue();
        assertThat(item.get(6).onUpdateNow()).isFalse();
        assertThat(item.get(7).type()).isEqualTo("enum('Book','Map')");
        assertThat(item.get(8).generation()).isEqualTo("`i_cost` * 2");
        assertThat(item.get(2).nullable()).isTrue();
    }

    @Test
    void aNullableColumnMayHaveNoDefaultAndAnEnumerationNeedsNone() {
        assertThat(table("item").columns())
                .filteredOn(ColumnDefinition::required)
                .extracting(ColumnDefinition::name)
                .containsExactly("i_id", "i_isbn");
    }

    @Test
    void keysAndConstraintsAreRead() {
        assertThat(table("item").indexes())
                .contains(
                        new IndexDefinition("PRIMARY", true, List.of("i_id", "i_line")),
                        new IndexDefinition("isbn", true, List.of("i_isbn")))
                .extracting(IndexDefinition::name)
                .doesNotContain("kinds");
        assertThat(table("author").indexes().getFirst().primary()).isTrue();
        assertThat(table("item").foreignKeys())
                .containsExactly(
                        new ForeignKeyDefinition(
                                "item_author",
                                List.of("i_a_id"),
                                "shop",
                                "author",
                                List.of("a_id"),
                                "SET NULL",
                                "CASCADE"));
        assertThat(table("item").checks())
                .containsExactly(new CheckDefinition("positive", false, "`i_cost` >= 0"));
    }

    /// A foreign key is told by its table: another one's may be called the same, and has its own
    /// rules.
    @Test
    void foreignKeysOfOneNameAreKeptApart() throws Exception {
        TestServer server = TestServer.get();
        server.execute(
                "CREATE DATABASE lent",
                "CREATE TABLE lent.shelf (a INT, b INT, PRIMARY KEY (a, b))",
                "CREATE TABLE lent.book (x INT, y INT, z INT, INDEX (x, y),"
                        + " CONSTRAINT item_author FOREIGN KEY (x, y) REFERENCES shelf (a, b) ON DELETE CASCADE)");
        try (Connection connection = new Backend(0, server.address()).connect()) {
            assertThat(new SchemaReader(connection).tables())
                    .filteredOn(table -> table.name().equals("book"))
                    .flatExtracting(TableDefinition::foreignKeys)
                    .containsExactly(
                            new ForeignKeyDefinition(
                                    "item_author",
                                    List.of("x", "y"),
                                    "lent",
                                    "shelf",
                                    List.of("a", "b"),
                                    "CASCADE",
                                    "RESTRICT"));
        } finally {
            server.execute("DROP DATABASE lent");
        }
    }

    @Test
    void autoIncrementGoesOnWhereItWas() {
        assertThat(table("author").nextAutoIncrement()).isEqualTo(42);
        assertThat(table("item").nextAutoIncrement()).isZero();
    }

    private TableDefinition table(String name) {
        return Objects.requireNonNull(tables.get(name));
    }
}
