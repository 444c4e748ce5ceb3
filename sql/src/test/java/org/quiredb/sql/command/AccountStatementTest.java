package org.quiredb.sql.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.sql.text.Tokens;

final class AccountStatementTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '#',
            value = {
                "CREATE USER IF NOT EXISTS a@'%' IDENTIFIED BY 'x', b | [] [a@%, b@] [] ",
                "CREATE OR REPLACE USER 'a' IDENTIFIED VIA mysql_native_password USING PASSWORD('x') REQUIRE SSL | [a@] [] [] ",
                "ALTER USER a@localhost IDENTIFIED BY 'x', `b c`@10.1.2.3 ACCOUNT LOCK | [a@localhost, b c@10.1.2.3] [] [] ",
                "DROP USER IF EXISTS a, CURRENT_USER() | [a@] [] [] own",
                "RENAME USER a TO b, c@d TO e | [a@, c@d] [b@, e@] [] ",
                "SET PASSWORD FOR a@'%' = PASSWORD('x'); | [a@%] [] [] ",
                "SET PASSWORD FOR a@'h'=PASSWORD('x') | [a@h] [] [] ",
                "SET PASSWORD FOR a@h='x' | [a@h] [] [] ",
                "SET PASSWORD FOR a@10.1.2.3=PASSWORD('x') | [a@10.1.2.3] [] [] ",
                "DROP USER a@`h`,b@'i' , c@j.k_l,d | [a@h, b@i, c@j.k_l, d@] [] [] ",
                "SET PASSWORD = PASSWORD('x') | [] [] [] own",
                "SET DEFAULT ROLE r FOR a | [a@] [] [r@] ",
                "SET DEFAULT ROLE r | [] [] [r@] own",
                "GRANT SELECT (a, b), INSERT ON TABLE d.t TO x, y WITH GRANT OPTION | [x@, y@] [] [] on d",
                "GRANT ALL PRIVILEGES ON `a\\_b`.* TO 'x'@'h' IDENTIFIED BY 'p' | [x@h] [] [] on a\\_b",
                "GRANT EXECUTE ON PROCEDURE p TO x | [x@] [] [] on ",
                "GRANT USAGE ON *.* TO x | [x@] [] [] on * harmless",
                "GRANT USAGE ON *.* TO x WITH GRANT OPTION | [x@] [] [] on *",
                "GRANT FILE ON *.* TO x | [x@] [] [] on *",
                "GRANT r, s TO x, USER() WITH ADMIN OPTION | [x@] [] [r@, s@] own",
                "REVOKE ADMIN OPTION FOR r FROM x | [x@] [] [r@] ",
                "REVOKE ALL PRIVILEGES, GRANT OPTION FROM x | [x@] [] [] ",
                "REVOKE SELECT ON * FROM x | [x@] [] [] on ",
            })
    void itTellsWhomItChangesAndWhere(String sql, String told) {
        AccountStatement read = AccountStatement.of(Tokens.of(sql)).orElseThrow();

        String on = read.on().map(place -> "on " + place.database()).orElse("");
        String all =
                names(read.accounts())
                        + " "
                        + names(read.made())
                        + " "
                        + names(read.roles())
                        + " "
                        + on
                        + (read.own() ? "own" : "")
                        + (read.harmless() ? " harmless" : "");
        assertThat(all.strip()).isEqualTo(told.strip());
    }

    private static String names(java.util.List<AccountStatement.Name> names) {
        return names.stream().map(name -> name.user() + "@" + name.host()).toList().toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GRANT PROXY ON a TO b",
                "GRANT SELECT ON d.t",
                "GRANT SELECT ON a.b.c TO x",
                "DROP USER a b",
                "CREATE /*!50000 OR REPLACE */ USER a",
                "RENAME USER a",
                "SET PASSWORD FOR a = PASSWORD('x'), PASSWORD FOR b = PASSWORD('y')",
                "SET PASSWORD FOR a = 'x', PASSWORD FOR b = 'y'",
                "SET DEFAULT ROLE r FOR a, PASSWORD FOR b = 'y'",
                "SET PASSWORD = 'x', DEFAULT ROLE r FOR a",
                "DROP USER a@'h'b",
            })
    void itSaysWhereItDoesNotKnow(String sql) {
        assertThat(AccountStatement.of(Tokens.of(sql))).isEmpty();
    }

    @Test
    void othersAreNone() {
        for (String sql :
                new String[] {
                    "SET ROLE r", "SET password_reuse_check_interval = 1",
                            "CREATE TABLE user (i INT)",
                    "SHOW GRANTS", "ALTER TABLE user ADD j INT", "RENAME TABLE a TO b"
                }) {
            assertThat(AccountStatement.is(Tokens.of(sql))).as(sql).isFalse();
        }
    }
}
