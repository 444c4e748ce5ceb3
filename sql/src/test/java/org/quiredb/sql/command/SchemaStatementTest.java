package org.quiredb.sql.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.schema.SchemaNames;
import org.quiredb.common.schema.SchemaNames.Name;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.sql.KeptReadings;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// What a statement uses is RequirementsTest's, of which class it is TableClassesTest's.
final class SchemaStatementTest {
    private static SchemaNames names(String sql) {
        return statement(sql).names();
    }

    private static SchemaStatement statement(String sql) {
        String text = NormalizedSql.of(sql).text();
        return SchemaStatement.of(Tokens.ofNormalized(text).plain(), new KeptReadings(1));
    }

    @Test
    void namesAreFoundAlsoInWhatIsNotUnderstood() {
        SchemaNames names =
                names(
                        "CREATE OR REPLACE VIEW d.v AS SELECT a FROM e.t x, u JOIN `f`.`w``x` WHERE a LIKE 'FROM y'");
        assertThat(names.tables()).containsExactly(new Name("d", "v"));
        assertThat(names.sources())
                .containsExactly(new Name("e", "t"), new Name("", "u"), new Name("f", "w`x"));
        assertThat(names.names("W`X")).isTrue();
        assertThat(names.names("y")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "ALTER TABLE t ADD COLUMN a INT, true",
        "ALTER IGNORE TABLE t ADD UNIQUE (a), true",
        "CREATE OR REPLACE UNIQUE INDEX i ON t (a), true",
        "DROP INDEX i ON t, true",
        "RENAME TABLE t TO u, true",
        "CREATE TABLE t (a INT), false",
        "CREATE TABLE t SELECT 1 AS `index`, false",
        "CREATE VIEW v AS SELECT a FROM t USE INDEX (i), false",
        "DROP TABLE t, false",
        "TRUNCATE TABLE t, false",
        "ALTER VIEW v AS SELECT 1, false",
        "ALTER DATABASE d CHARACTER SET utf8mb4, false",
    })
    void tellsWhetherRowsAreTakenInAgain(String sql, boolean rebuilds) {
        assertThat(SchemaStatement.rebuilds(Tokens.of(sql).plain())).isEqualTo(rebuilds);
    }

    @Test
    void whatAForeignKeyRefersToIsNamedButKeepsItsRows() {
        SchemaNames names = names("ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES d . p (id)");
        assertThat(names.parents()).containsExactly(new Name("d", "p"));
        assertThat(names.names("P")).isTrue();
        assertThat(names.names("d")).isTrue();
        assertThat(names.movesRowsOf("p")).isFalse();
        assertThat(names.movesRowsOf("T")).isTrue();
        assertThat(names.movesRowsOf("a.t")).isFalse();
    }

    @Test
    void aForeignKeyRefersToATableOfItsOwnTablesDatabase() {
        for (String sql :
                List.of(
                        "CREATE TABLE d.t (a INT, FOREIGN KEY (a) REFERENCES p (id))",
                        "ALTER TABLE d.t ADD FOREIGN KEY (a) REFERENCES p (id)")) {
            assertThat(names(sql).parents()).containsExactly(new Name("d", "p"));
            assertThat(statement(sql).uses())
                    .contains(
                            new SchemaStatement.Use(
                                    SchemaStatement.Action.REFERENCE, new TableName("d", "p")));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE t (a INT)",
                "/*!40000 ALTER TABLE `t` DISABLE KEYS */",
                "ALTER TABLE t /* x */ ENABLE -- y\n KEYS"
            })
    void whatLeavesRowsAlone(String sql) {
        assertThat(names(sql).movesRowsOf("t")).isFalse();
        assertThat(names(sql).names("t")).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/* x */ drop table t|true",
                "/*!40000 DROP DATABASE IF EXISTS `d`*/|true",
                "ALTER TABLE t DROP a|false",
                "CREATE OR REPLACE TABLE t (a INT)|false"
            })
    void whatIsGoneStaysGone(String sql, boolean drops) {
        assertThat(names(sql).drops()).isEqualTo(drops);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE SCHEMA IF NOT EXISTS d",
                "CREATE OR REPLACE DATABASE d",
                "ALTER DATABASE `d` CHARACTER SET utf8mb4",
                "DROP DATABASE IF EXISTS d"
            })
    void whatIsOfAWholeDatabase(String sql) {
        assertThat(names(sql).wholeDatabase()).isEqualTo("d");
    }

    @Test
    void whatReplacesMovesRows() {
        assertThat(names("CREATE OR REPLACE TABLE t (a INT)").movesRowsOf("t")).isTrue();
        assertThat(names("TRUNCATE `t u`").movesRowsOf("t u")).isTrue();
    }

    @Test
    void namesGoOverTheWire() {
        SchemaNames names =
                new SchemaNames(
                        "d",
                        List.of(new Name("a", "b")),
                        List.of(new Name("", "c")),
                        List.of(),
                        true,
                        false,
                        Set.of("x", "y"));
        ByteWriter writer = new ByteWriter();
        names.encode(writer);
        assertThat(SchemaNames.decode(new ByteReader(writer.toByteArray()))).isEqualTo(names);
    }
}
