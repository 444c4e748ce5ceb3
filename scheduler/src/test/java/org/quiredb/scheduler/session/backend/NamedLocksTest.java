package org.quiredb.scheduler.session.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.error.QuireException;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Tokens;

final class NamedLocksTest {
    private static String apart(String sql) {
        Tokens tokens = Tokens.of(sql);
        Edits edits = new Edits(tokens);
        NamedLocks.apart(tokens, edits);
        return edits.made();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT GET_LOCK('a', 10) | SELECT GET_LOCK(CONCAT('c/', 'a'), 10)",
                "DO release_lock ( 'a' ) | DO release_lock (CONCAT('c/',  'a' ))",
                "SELECT `is_free_lock`(@x) | SELECT `is_free_lock`(CONCAT('c/', @x))",
                "SELECT IS_USED_LOCK(IF(a, 'b', 'c')), 1 | SELECT IS_USED_LOCK(CONCAT('c/', IF(a, 'b', 'c'))), 1",
                "SELECT GET_LOCK(IS_FREE_LOCK('a'), (1)) | SELECT GET_LOCK(CONCAT('c/', IS_FREE_LOCK(CONCAT('c/', 'a'))), (1))",
                "SELECT GET_LOCK(/* ( */ 'a,' -- )\\n, 0) | SELECT GET_LOCK(CONCAT('c/', /* ( */ 'a,' -- )\\n), 0)",
                "SELECT d.get_lock('a', 0), get_lock | SELECT d.get_lock('a', 0), get_lock",
                "SELECT 'GET_LOCK(1, 2)' | SELECT 'GET_LOCK(1, 2)'",
                "SELECT GET_LOCK('\\\\', 0), GET_LOCK('\\'', 'b', \"GET_LOCK('c')\", 0) | SELECT GET_LOCK(CONCAT('c/', '\\\\'), 0), GET_LOCK(CONCAT('c/', '\\''), 'b', \"GET_LOCK('c')\", 0)",
                "SELECT GET_LOCK\\n(#)\\n'a'--\t,\\n, 0) | SELECT GET_LOCK\\n(CONCAT('c/', #)\\n'a'--\t,\\n), 0)",
                "SELECT `GET_LOCK` /**/ (_utf8'a' 'b', 0) | SELECT `GET_LOCK` /**/ (CONCAT('c/', _utf8'a' 'b'), 0)",
                "SELECT RELEASE_ALL_LOCKS() | SELECT RELEASE_ALL_LOCKS()",
            })
    void whateverNameItIsItBeginsOtherwiseThanTheTiers(String sql, String apart) {
        assertThat(apart(sql.replace("\\n", "\n"))).isEqualTo(apart.replace("\\n", "\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT /*!999999 ' */ GET_LOCK('quire/logger', 9) -- '",
                "SELECT /*!50000 GET_LOCK*/('quire/logger', 9)",
                "SELECT GET_LOCK(/*M!999999 'a', */ 'quire/logger', 9)"
            })
    void whatServersReadDifferentlyIsRefused(String sql) {
        assertThatThrownBy(() -> apart(sql)).isInstanceOf(QuireException.class);
    }

    @Test
    void whatIsMadeAgainAndAgainTakesNone() {
        assertThatThrownBy(() -> NamedLocks.requireNone(Tokens.of("SET @x = GET_LOCK('a', 9)")))
                .isInstanceOf(QuireException.class);
        NamedLocks.requireNone(Tokens.of("SET @x = 'GET_LOCK(a)'"));
    }
}
