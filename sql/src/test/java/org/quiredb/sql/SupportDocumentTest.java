package org.quiredb.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.quiredb.sql.tree.BinaryOperator;
import org.quiredb.sql.tree.Function;

/// docs/sql-support.md is what the tables in the code say; `-Dquire.document.write` writes it anew.
class SupportDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "sql-support.md");

    private static final String PREFACE =
            """
            # What the tier runs itself

            Made of the code's own tables (`Function`, `BinaryOperator`, the nodes in `org.quiredb.sql.tree`); a test compares.

            A statement is read once, into a tree. What the tree has a node for runs in memory; everything else is left to the backend,
            after it has applied what the read's tag names, and is counted in `quire_fallback_statements_total`. In an update transaction reads
            run there with the transaction's own rows laid over the backend's, and changes of rows are evaluated there and made by primary key in memory
            ([isolation.md](isolation.md), also of what remains error 1235). Reads that lock get error 1235, with the reason.

            | part | in memory |
            |---|---|
            | queries | `SELECT [DISTINCT]`, `UNION [ALL]`, queries in parentheses, derived tables, `WITH` before a query that locks nothing, each of its queries read by name and without a list of columns, subqueries (`IN`, `EXISTS`, `ANY`, `ALL`, scalar) |
            | joins | comma, `[INNER\\|CROSS] JOIN`, `LEFT`, `RIGHT` (not after a comma, not with `USING`), `STRAIGHT_JOIN`, `ON`, `USING` |
            | clauses | `WHERE`, `GROUP BY`, `HAVING`, `ORDER BY`, `LIMIT [OFFSET]`, `FOR UPDATE`, `FOR SHARE`, `NOWAIT`, `SKIP LOCKED`, `LOCK IN SHARE MODE`; MariaDB's `FOR UPDATE WAIT n` and `SET STATEMENT max_statement_time = n FOR` |
            | conditions | `AND`, `OR`, `NOT`, `IS [NOT] NULL\\|TRUE\\|FALSE\\|UNKNOWN`, `[NOT] BETWEEN`, `[NOT] IN`, `[NOT] LIKE [ESCAPE]`, rows `(a, b)`; `[NOT] REGEXP` of patterns that all libraries read alike; in update transactions `[NOT] LIKE BINARY` of constants |
            | expressions | columns, constants, `?`, what the session keeps ([session.md](session.md)), `CASE`, unary `+` and `-`, `&`, `\\|`, `^`, `<<`, `>>` and `~` of whole numbers, `DATE '2020-01-31'`, `TIME '10:20:30'` and `TIMESTAMP '2020-01-31 10:20:30'`, `moment ± INTERVAL n unit`, `TIMESTAMPADD`, `TIMESTAMPDIFF` and `EXTRACT(unit FROM moment)` of single units, `ISNULL`, `ORDER BY RAND()`, `CAST` to `SIGNED`, `UNSIGNED`, `CHAR`, `DECIMAL`, `DATETIME` and `DATE` of what needs no warning |
            | `GROUP_CONCAT` | of texts, numbers, moments and `ENUM`, in plain reads where described; `ORDER BY` of what is not NULL or is joined itself (MariaDB sorts NULL among zeroes and empty texts there), `DISTINCT` of one value ordered by nothing but that, `SEPARATOR` of ASCII, no `LIMIT`. What is longer than a MiB, or made of more than one statement may keep, and a session that sets `group_concat_max_len`, or a backend where its default is another, is left to the backend |
            | changes | `INSERT` (`VALUES`, `SET`, `SELECT`, `IGNORE`, `ON DUPLICATE KEY UPDATE`), `REPLACE`, `UPDATE` and `DELETE` of one table, all but `UPDATE` with MariaDB's `RETURNING` of columns, with `ORDER BY` and `LIMIT`, or chosen by a join |

            Left out, and so the backend's: `WITH RECURSIVE` and `WITH` elsewhere, window functions, `ROLLUP`, `INTO`, `COLLATE`, `BINARY` elsewhere, `CAST` to other types, `XOR`, `\\|\\|`, `&&`, `!`, `MATCH`,
            JSON, variables that the statement sets or a plain read shows, `PARTITION`, hints of indexes that memory has not, `NATURAL JOIN`, tables of the server's own schemas, and every function that is not below.
            `CALL` is the backend's, too, of procedures that read and change rows; others are run [step by step](session.md#procedures-that-are-run-step-by-step), over MySQL refused ([session.md](session.md#procedures-that-change-rows)). So are changes of rows that fire triggers, or show expressions (`RETURNING`) ([session.md](session.md#triggers)).

            Left out as well: `LIMIT` in a subquery of `IN`, `ANY` or `ALL`, derived tables more than 6 deep in each other, joins of more than 61 tables, comments like
            `/*!80000 ... */` and `/*M! ... */` that MariaDB reads and MySQL does not, or the other way round (`/*! ... */` and versions below 50700 are read here), and
            a plain read with a computed column that is named after its text (it has no `AS`), where double quotes, `0x41`, a comment or a run of blanks stands in that text, and one that shows by `*` such columns of a derived table.

            What a plain read shows has the type, length, decimals, flags and character set that MariaDB derives from the operands: one table of all
            (`org.quiredb.replica.describe`), to which `DescribedColumnsTest` holds each function over columns of every type. What the table does not know (a `?` that is
            shown, bytes, counts and sums as texts, `BIT`) is left to the backend where a function below says *where described*. Not told: whose columns those of a derived table, a view or `WITH` are where the server makes a table of it (`GROUP BY`, `DISTINCT`, `LIMIT`, `UNION`). Not derived: the flag `BINARY` and the decimals of texts
            where the server goes through a temporary table, which is for its planner to choose, and how long a `GROUP_CONCAT` may be there; its length is that of a client that has results converted to UTF-8, as all do that name a character set. Where the backend is MySQL, lengths are MariaDB's all the same.

            A plain read that a server would warn of (a division by zero, a text that is cut to become a number) is left to the backend, which warns.

            The comparison of two texts of different collations, or of one that memory does not know (it knows `bin`, `general_ci`, `unicode_ci`, `unicode_520_ci`, `0900_ai_ci`, `uca1400_ai_ci`, `latin1_swedish_ci`, and of UTF-8 the tailorings of `unicode_ci` for Estonian, Esperanto, German, Hungarian, Icelandic, Latvian, Persian, Polish, Roman, Romanian, Slovenian, Spanish, Swedish, Vietnamese), the order of `ENUM` and `SET`, and columns of types that only the
            backend computes with are left out when the statement runs.

            ## Types of operands

            Where MySQL makes a value of one type into another before it computes, memory does so only where the result is known to be the same:

            | part | in memory |
            |---|---|
            | `+` `-` `*` | numbers; a text that is bound or written, of digits; no column of text, date, time, `ENUM`, `BIT`. An unsigned result below zero is error 1690 |
            | comparisons | numbers, but no `FLOAT(M,D)` with decimals; texts; texts with integers and decimals; dates with dates and with `YYYY-MM-DD[ hh:mm[:ss]]`; times with `hh:mm:ss`; `ENUM` and `SET` with texts; `YEAR` with years of four digits; MariaDB's `UUID` with `UUID` and with single values, texts of a UUID or 16 bytes |
            | conditions | numbers and comparisons, not texts, dates or `ENUM` |
            | `CASE`, `COALESCE`, `IFNULL`, `IF`, `UNION` | results of one kind: numbers, texts, dates, `UUID` |
            | `UUID` | stored, shown, compared, sorted and grouped, `MIN`, `MAX`, `COUNT`; no other function, no `LIKE`; the order is that of MariaDB since 10.11.5: up to version 5 the groups of digits count from the last to the first. Not changed: 16 bytes of no version below 8 without a variant, which MariaDB shows as another UUID |
            | `POINT`, `GEOMETRY` and the other types of geometries, of MariaDB | stored as MariaDB stores them, four bytes of SRID and then WKB, and shown; `IS NULL`. Whatever compares, sorts or computes is the backend's, which also evaluates changes whose values are made by functions, or are bytes that MariaDB looks further at. `SPATIAL` indexes are on the backends alone. Not changed: tables with a geometry in the primary key, and all where the backend is MySQL |
            | `ENUM`, `SET` with the member `''` | stored and shown; not what their texts do not tell: none of an `ENUM`'s members (1235, as `IGNORE` or no strict mode store one), a `SET` of that member |
            | `LIKE` | columns of text, `ENUM`, integers, decimals, dates without fractions, and texts made of columns; patterns without columns. More `%` (but for the last) than one, two in `VARCHAR`, three below 1,000 characters: only in plain reads that plans cover |
            | `SUM`, `AVG` | integers and decimals, not `FLOAT` and `DOUBLE`: their sums depend on the order of the rows |

            ## Refused changes

            What servers do not agree on, or do by their own way of finding rows, memory refuses before a row is changed. Where the error is 1235 the backend evaluates it, if that can be:

            | change | error |
            |---|---|
            | a query over the table that is inserted into, in `VALUES`, `SET` or `ON DUPLICATE KEY UPDATE` | 1093; of an `INSERT ... SELECT` 1235 |
            | `ON DUPLICATE KEY UPDATE` of a column without a default that the INSERT leaves out | 1364, as MySQL; MariaDB takes the column for given |
            | NULL into a `TIMESTAMP NOT NULL` | 1048, as MySQL with `explicit_defaults_for_timestamp`; MariaDB stores the present moment |
            | an assignment that reads a column assigned before it, in an UPDATE of a join, or with a subquery over its own table, with `IN` or `EXISTS` of a subquery and not both `ORDER BY` and `LIMIT`, or where that was set to `DEFAULT` | 1235 |
            | `IGNORE` with a value that would have to be made fit, or, in an UPDATE of a join, with values of a unique key | 1235 |
            | an `ENUM` or `SET` in a column of numbers or bits; a `BIT` or a number that floats in one of texts or bytes; a text that is not UTF-8 in one of bytes | 1235 |
            | a date with a month or day of zero, in a session with `NO_ZERO_DATE` or `NO_ZERO_IN_DATE` | 1235 |
            | a text that is not ASCII, in a column of another character set than UTF-8, UTF-16, UTF-32, `ucs2` and `latin1` | 1235 |
            | a text beside a column whose character set does not have its characters | 1267 |
            | a change of a key that would go on to the table in which it began | 1451 |
            | a row that belongs to no partition of its table (`RANGE`, `LIST`) | 1235; the backend's 1526 where it evaluates the change |

            `IS NULL` of a `DATE` or `DATETIME` that is NOT NULL, where a date of zeroes passes for NULL, and functions of bytes (`HEX`, `LENGTH`, `MD5` and the like) of texts
            that are stored in other character sets than `utf8mb4` and `ascii` are left out.
            """;

    private static final String READERS =
            """

            ## Who reads SQL text

            Queries and changes of rows are parsed by Druid's MySQL parser (why that one: `org.quiredb.sql.parse`). DDL, `SET`, `KILL` and the words of
            transactions are read from the same tokens by `org.quiredb.sql.command`: of 86 such statements of the tests that parser refuses 26, MariaDB's own forms above
            all, and passes over words of 5, and each such word may need a right. One class cuts text, and knows quotes, escapes and comments: `org.quiredb.sql.text.Lexer`.
            Masters and loggers read none; what a schema change names comes with it.

            Classes whose input is SQL text or its tokens, with their lines, at three commits:

            | where | H2 with patched text (5f9059f) | trees of queries (baf6aa6) | now |
            |---|---|---|---|
            | tokens and normalised text | 5 classes, 731 lines (common) | 4, 690 (common) | 7, 1029 (sql.text) |
            | tokens a second time | 2, 182 (scheduler) | 2, 192 (scheduler) | none |
            | text to tree | 1, 257 (`Survey`) | 4, 433 (sql.parse) | 4, 438 (sql.parse) |
            | DDL, `SET`, `KILL`, savepoints | 4, 492 (scheduler, master, logger) | 6, 909 (scheduler, master, logger) | 8, 945 (sql.command) |
            | the rest of the scheduler | 2, 370 | 5, 602 | 4, 447 |
            | the replica, for H2 | 10, 1789 | none | none |
            | all | 24, 3821 | 21, 2826 | 23, 2859 |
            | of these outside of module sql | 24, 3821 | 17, 2393 | 4, 447 |
            | classes that know quotes or comments | 5 | 5 | 1 |
            | regular expressions over SQL | 13 | 11 | none |
            """;

    @Test
    void saysWhatTheCodeSays() throws Exception {
        String expected = PREFACE + operators() + functions() + READERS;
        if (System.getProperty("quire.document.write") != null) {
            Files.writeString(DOCUMENT, expected);
        }
        assertThat(Files.readString(DOCUMENT)).isEqualTo(expected);
    }

    private static String operators() {
        String names =
                Arrays.stream(BinaryOperator.values())
                        .map(operator -> "`" + operator.text() + "`")
                        .collect(Collectors.joining(", "));
        return "\n## Operators\n\n"
                + names
                + ". `/`, `DIV` and `%` in plain reads where described.\n";
    }

    private static String functions() {
        StringBuilder table =
                new StringBuilder(
                        "\n## Functions\n\n| function | also called | plain reads | update transactions |\n|---|---|---|---|\n");
        for (Function function : Function.values()) {
            if (function.unnamed()) {
                continue;
            }
            String plain =
                    switch (function.where()) {
                        case EVERYWHERE -> "memory";
                        case DESCRIBED -> "memory, where described";
                        case TRANSACTIONS -> "backend";
                    };
            table.append("| ")
                    .append(function.name())
                    .append(" | ")
                    .append(String.join(", ", List.copyOf(function.otherNames())))
                    .append(" | " + plain + " | memory |\n");
        }
        return table.toString();
    }
}
