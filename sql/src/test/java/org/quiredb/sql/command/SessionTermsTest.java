package org.quiredb.sql.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quiredb.sql.command.SessionTerms.Term;
import org.quiredb.sql.text.Tokens;

final class SessionTermsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT @a, @`B c`, @'d'|a; b c; d",
                "SELECT @My.Var FROM t.u|my.var",
                "SELECT @@identity, @@SESSION.warning_count, @@local.error_count, @@In_Transaction|LAST_INSERT_ID; WARNING_COUNT; ERROR_COUNT; IN_TRANSACTION",
                "SELECT @@sql_mode, @@global.identity, @@session.autocommit|",
                "INSERT INTO t VALUES (last_insert_id ( ), ROW_COUNT())|LAST_INSERT_ID; ROW_COUNT",
                "SELECT d.found_rows(), found_rows, '@a', `@b`|",
                "SELECT LASTVAL(s), nextval ( d.`S` ), LASTVAL(1), d.LASTVAL(s)|last of .s; next of d.S",
                "SELECT NEXT VALUE FOR s, PREVIOUS VALUE FOR d.s + 1, value, `next value`|next of .s; last of d.s",
                "SELECT id FROM t WHERE v = @v LIMIT @n|v",
                "SELECT id FROM (SELECT id FROM t LIMIT @n) q WHERE id IN (@a, @b)|a; b"
            })
    void whatASessionKnowsIsFound(String sql, String expected) {
        Tokens tokens = Tokens.of(sql);
        String found =
                SessionTerms.of(tokens).places().stream()
                        .map(place ->
                                switch (place.term()) {
                                    case Term.Variable(String name) -> name;
                                    case Term.Of(SessionTerms.Known known) -> known.name();
                                    case Term.LastOf(SessionTerms.Sequence sequence) ->
                                            "last of "
                                                    + sequence.database()
                                                    + '.'
                                                    + sequence.name();
                                    case Term.NextOf(SessionTerms.Sequence sequence) ->
                                            "next of "
                                                    + sequence.database()
                                                    + '.'
                                                    + sequence.name();
                                })
                        .collect(Collectors.joining("; "));
        assertThat(found).isEqualTo(expected == null ? "" : expected);
        assertThat(SessionTerms.mayBeIn(tokens) || found.isEmpty()).isTrue();
    }

    @Test
    void whatAStatementSetsIsToldApart() {
        SessionTerms terms =
                SessionTerms.of(
                        Tokens.of(
                                "SELECT SQL_CALC_FOUND_ROWS @n := @m + 1, LAST_INSERT_ID(5) FROM t INTO @x, @`y` FOR UPDATE"));
        assertThat(terms.assigned()).containsExactlyInAnyOrder("n", "x", "y");
        assertThat(terms.places()).hasSize(1);
        assertThat(terms.setsInsertId()).isTrue();
        assertThat(terms.calculates()).isTrue();
        assertThat(Objects.requireNonNull(terms.into()).names()).containsExactly("x", "y");
    }

    @Test
    void mostStatementsHaveNone() {
        assertThat(SessionTerms.mayBeIn(Tokens.of("SELECT a, '@b', `@c` FROM t WHERE id = 1")))
                .isFalse();
    }
}
