/// Druid's tree of a statement into ours; the only place that sees Druid.
///
/// Why Druid: of 221 statements made to mislead a parser it read 175 rightly and 5 wrongly
/// (JSqlParser 149 and 18, Debezium's MySQL grammar 173 and 2), took 96.4 % of the 18,878 queries
/// of MariaDB's main test suite (92.9 and 94.2 %), and reads a usual statement in 2 to 12
/// microseconds. What it reads wrongly it drops words of, which {@link org.quiredb.sql.parse.Words}
/// notices.
///
/// Not for DDL, SET and KILL: of 86 such statements of our tests, MariaDB's forms among them, it
/// refused 26 and lost words of 5 without a word about it (IF EXISTS, PERSISTENT, a query in `/*!
/// */`). What is lost of a DDL statement is a right that nobody asks for.
@NullMarked
package org.quiredb.sql.parse;

import org.jspecify.annotations.NullMarked;
