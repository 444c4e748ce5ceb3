package org.quiredb.master.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.schema.SchemaNames;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.sql.KeptReadings;
import org.quiredb.sql.command.SchemaStatement;
import org.quiredb.sql.text.Tokens;

final class TableClassesTest {
    private static final ClassPatterns PATTERNS =
            ClassPatterns.of(
                    Map.of(new ConflictClass("orders"), List.of("shop.order*", "other*.*")));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    CREATE DATABASE fresh | default
                    CREATE DATABASE others | orders
                    CREATE DATABASE shop2 | default
                    drop schema if exists `odd.name` | default
                    CREATE DATABASE /*!32312 IF NOT EXISTS*/ `fresh` /*!40100 DEFAULT CHARACTER SET utf8 */ | default
                    /*!40000 ALTER TABLE `crm`.`t` DISABLE KEYS */ | default
                    ALTER TABLE t ADD x INT | default
                    ALTER TABLE other.t ADD x INT | orders
                    RENAME TABLE `other` . `t` TO shop.orders | orders
                    CREATE UNIQUE INDEX i ON `order` (a) | orders
                    TRUNCATE orders | orders
                    TRUNCATE TABLE crm.t | default
                    DROP TABLE IF EXISTS other.t, order_line | orders
                    CREATE TABLE IF NOT EXISTS orders (y INT AS (EXTRACT(YEAR FROM made))) | orders
                    RENAME TABLE shop.t TO shop.u | default
                    CREATE TABLE t AS SELECT u.a FROM u | default
                    ALTER TABLE t COMMENT = 'REFERENCES other.t' | default
                    ALTER TABLE t RENAME COLUMN a TO b, ADD CHECK (c LIKE 'x') | default
                    CREATE TABLE orders LIKE other.t | orders
                    DROP DATABASE other | orders
                    """)
    void aSchemaChangeIsOfTheClassOfItsTables(String sql, String expected) {
        assertThat(classOf(sql)).isEqualTo(new ConflictClass(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    RENAME TABLE t TO order_line | a schema change over
                    ALTER TABLE t ADD x INT, RENAME other.t | a schema change over
                    RENAME TABLE u TO u2, t TO `other`.t | a schema change over
                    CREATE TABLE u AS SELECT * FROM t, other.t | a schema change over
                    CREATE TABLE u LIKE other.t | a schema change over
                    ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES other . p (id) | a foreign key between
                    DROP TABLE t, other.t | a schema change over
                    DROP DATABASE shop | a change of a whole database with
                    """)
    void whatReachesIntoAnotherClassIsRefused(String sql, String why) {
        assertThatThrownBy(() -> classOf(sql))
                .isInstanceOf(QuireException.class)
                .hasMessageContaining("doesn't yet support " + why + " tables of two")
                .hasMessageContaining("shop.")
                .hasMessageContaining("is of class default");
    }

    @Test
    void theErrorNamesTablesAndClasses() {
        assertThatThrownBy(() -> classOf("DROP TABLE t, other.t"))
                .hasMessageEndingWith(
                        "table shop.t is of class default, table other.t is of class orders; name both in one class of replica.classes (docs/cluster.md)");
    }

    private static ConflictClass classOf(String sql) {
        List<CatalogueEntry> known = new ArrayList<>();
        for (String name : List.of("shop.t", "shop.orders", "other.t")) {
            String[] parts = name.split("\\.", -1);
            known.add(
                    new CatalogueEntry(
                            known.size() + 1,
                            PATTERNS.classOf(parts[0], parts[1]),
                            new TableDefinition(
                                    parts[0], parts[1], List.of(), List.of(), List.of(), List.of(),
                                    0)));
        }
        SchemaNames names = SchemaStatement.of(Tokens.of(sql).plain(), new KeptReadings(1)).names();
        return TableClasses.of(PATTERNS, known, "shop", names);
    }
}
