package org.quiredb.sql.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

final class LoadStatementTest {
    @Test
    void tellsItsFileTableVariablesAndExpressions() {
        assertThat(LoadStatement.of(Tokens.of("load data local infile 'it''s' into table t")))
                .hasValue(
                        new LoadStatement("it's", new TableName("", "t"), false, Set.of(), false));
        assertThat(
                        LoadStatement.of(
                                Tokens.of(
                                        "LOAD DATA CONCURRENT LOCAL INFILE 'f' REPLACE INTO TABLE `a b`.t"
                                                + " CHARACTER SET latin1 FIELDS TERMINATED BY ','"
                                                + " IGNORE 1 LINES (a, @X, @y) SET b = @x + @z")))
                .hasValue(
                        new LoadStatement(
                                "f", new TableName("a b", "t"), true, Set.of("x", "y"), true));
        assertThat(
                        LoadStatement.of(
                                Tokens.of(
                                        "LOAD DATA LOCAL INFILE 'f' IGNORE INTO TABLE t CHARACTER SET latin1")))
                .hasValue(new LoadStatement("f", new TableName("", "t"), false, Set.of(), false));
    }

    @Test
    void isNoneOfAServersFileXmlOrAPartition() {
        for (String sql :
                List.of(
                        "LOAD DATA INFILE 'f' INTO TABLE t",
                        "LOAD XML LOCAL INFILE 'f' INTO TABLE t",
                        "LOAD DATA LOCAL INFILE 'f' INTO TABLE t PARTITION (p)",
                        "LOAD DATA LOCAL INFILE 'f' INTO t",
                        "LOAD DATA LOCAL INFILE 'f'",
                        "LOAD DATA LOCAL",
                        "LOAD INDEX INTO CACHE t")) {
            assertThat(LoadStatement.of(Tokens.of(sql))).as(sql).isEmpty();
        }
    }
}
