package org.quiredb.logger;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quiredb.common.schema.SchemaNames;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.snapshot.ChangedTables;
import org.quiredb.logger.snapshot.SchemaReader;

/// What is read of a real server after a statement, beside what all of it is.
@Tag("slow")
class ChangedTablesTest {
    private final TestServer server = TestServer.get();
    private final Connection connection = new Backend(0, server.address()).connect();

    ChangedTablesTest() throws Exception {}

    @BeforeEach
    void createTables() throws Exception {
        server.reset();
        server.execute(
                "CREATE DATABASE annex",
                "CREATE TABLE shop.author (id INT PRIMARY KEY, name VARCHAR(9))",
                "CREATE TABLE shop.Book (id INT PRIMARY KEY, a INT, KEY (a),"
                        + " CONSTRAINT book_author FOREIGN KEY (a) REFERENCES author (id))",
                "CREATE TABLE shop.review (id INT PRIMARY KEY, b INT,"
                        + " CONSTRAINT review_book FOREIGN KEY (b) REFERENCES Book (id))",
                "CREATE TABLE shop.basket (id INT PRIMARY KEY)",
                "CREATE TABLE annex.author (id INT PRIMARY KEY)",
                "CREATE VIEW shop.names AS SELECT name FROM shop.author");
    }

    @AfterEach
    void close() throws Exception {
        server.execute("SET foreign_key_checks = 0", "DROP DATABASE IF EXISTS annex");
        connection.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    CREATE TABLE map (id INT PRIMARY KEY, CHECK (id > 0)) | shop.map
                    CREATE TABLE annex.map LIKE basket | annex.map shop.basket
                    CREATE OR REPLACE TABLE author (id INT PRIMARY KEY) | shop.author shop.Book
                    ALTER TABLE basket ADD COLUMN n INT DEFAULT 3 | shop.basket
                    CREATE UNIQUE INDEX titles ON Book (a) | shop.Book shop.review
                    ALTER TABLE author CHANGE id number INT | shop.author shop.Book
                    RENAME TABLE author TO writer | shop.writer shop.Book
                    RENAME TABLE Book TO annex.Book | annex.Book shop.review
                    RENAME TABLE basket TO b, review TO basket, b TO review | shop.basket shop.review
                    DROP TABLE basket | ''
                    DROP TABLE annex.author, review | shop.author shop.Book
                    TRUNCATE TABLE basket | shop.basket
                    CREATE OR REPLACE VIEW names AS SELECT id FROM basket | shop.basket
                    CREATE SEQUENCE numbers | ''
                    ALTER TABLE basket ADD COLUMN hidden INT INVISIBLE DEFAULT 1 | shop.basket
                    ALTER TABLE Book DROP FOREIGN KEY book_author | shop.Book shop.review
                    """)
    void noMoreIsReadThanMayHaveChangedAndNothingIsMissed(String sql, String read)
            throws Exception {
        List<TableDefinition> known = reader().tables();
        run(sql);
        ChangedTables now = of(names(sql), known);
        assertThat(now.all())
                .map(TableDefinition::withoutCounter)
                .containsExactlyInAnyOrderElementsOf(
                        reader().tables().stream().map(TableDefinition::withoutCounter).toList());
        assertThat(now.read())
                .map(table -> table.schema() + "." + table.name())
                .containsExactlyInAnyOrder(read.isEmpty() ? new String[0] : read.split(" ", -1));
    }

    @Test
    void aTableThatADanglingKeyRefersToIsMadeWithTheKey() throws Exception {
        run("DROP TABLE author");
        List<TableDefinition> known = reader().tables();
        String sql = "CREATE TABLE author (id INT PRIMARY KEY)";
        run(sql);
        ChangedTables now = of(names(sql), known);
        assertThat(now.all()).isEqualTo(reader().tables());
        assertThat(now.read()).map(TableDefinition::name).contains("author", "Book");
    }

    @Test
    void allTablesOfADatabaseThatIsNamedAsAWholeAreLookedFor() throws Exception {
        List<TableDefinition> known = reader().tables();
        run("DROP DATABASE annex");
        SchemaNames names =
                new SchemaNames(
                        "annex", List.of(), List.of(), List.of(), true, true, Set.of("annex"));
        ChangedTables now = of(names, known);
        assertThat(now.all()).isEqualTo(reader().tables());
        assertThat(now.read()).isEmpty();
    }

    @Test
    void allIsReadWhereNothingKnownIsNamedOrMuch() throws Exception {
        List<TableDefinition> all = reader().tables();
        assertThat(of(SchemaNames.NONE, List.of()).read()).isEqualTo(all);
        List<String> many = new ArrayList<>(List.of("rename", "table"));
        for (int i = 0; i < 9; i++) {
            run("CREATE TABLE t%d (id INT PRIMARY KEY)".formatted(i));
            many.add("t" + i);
        }
        assertThat(of(names(String.join(" ", many)), all).read()).isEqualTo(reader().tables());
    }

    private static SchemaNames names(String sql) {
        return Records.schemaChange(1, sql, 0).schemaChange().names();
    }

    private ChangedTables of(SchemaNames names, List<TableDefinition> known) throws Exception {
        SchemaReader reader = reader();
        return ChangedTables.of(reader, names, "shop", known);
    }

    private void run(String sql) throws Exception {
        server.execute("USE shop", "SET foreign_key_checks = 0", sql);
    }

    private SchemaReader reader() throws Exception {
        return new SchemaReader(connection);
    }
}
