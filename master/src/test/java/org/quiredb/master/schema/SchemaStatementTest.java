package org.quiredb.master.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.version.ConflictClass;

final class SchemaStatementTest {
    private static final List<String> SCHEMAS = List.of("shop", "other", "odd.name");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    CREATE DATABASE fresh | fresh
                    drop schema if exists `odd.name` | odd.name
                    CREATE DATABASE /*!32312 IF NOT EXISTS*/ `fresh` /*!40100 DEFAULT CHARACTER SET utf8 */ | fresh
                    /*!40000 ALTER TABLE `other`.`t` DISABLE KEYS */ | other
                    ALTER TABLE t ADD x INT | shop
                    ALTER TABLE other.t ADD x INT | other
                    RENAME TABLE `other` . `t` TO other.u | other
                    CREATE UNIQUE INDEX i ON other.t (a) | other
                    TRUNCATE other.t | other
                    DROP TABLE IF EXISTS other.t | other
                    """)
    void theSchemaThatIsChangedIsTheClass(String sql, String expected) {
        assertThat(SchemaStatement.classOf("shop", sql)).isEqualTo(new ConflictClass(expected));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RENAME TABLE t TO other.t",
                "RENAME TABLE t TO `odd.name`.t",
                "CREATE TABLE t AS SELECT * FROM other.t",
                "ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES other . p (id)",
                "DROP TABLE t, other.t",
            })
    void whatReachesIntoAnotherClassIsRefused(String sql) {
        assertThatThrownBy(
                        () -> SchemaStatement.refuseAcross(new ConflictClass("shop"), sql, SCHEMAS))
                .isInstanceOf(QuireException.class)
                .hasMessageContaining("across databases");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RENAME TABLE shop.t TO shop.u",
                "CREATE TABLE t AS SELECT u.a FROM u",
                "ALTER TABLE t COMMENT = 'as other.t'",
            })
    void whatStaysInsideIsNot(String sql) {
        assertThatCode(() -> SchemaStatement.refuseAcross(new ConflictClass("shop"), sql, SCHEMAS))
                .doesNotThrowAnyException();
    }
}
