/// The one reading of a statement.
///
/// {@link org.quiredb.sql.KeptReadings} turns a normalised text into a {@link
/// org.quiredb.sql.tree.Reading}: the tables that it names, and a tree of {@link
/// org.quiredb.sql.tree} where the in-memory tier can run it. The text is parsed by Druid's MySQL
/// parser, which sees names, keywords and `?` only; constants never reach it. What it returns
/// becomes nodes of our tree one kind at a time, so that whatever is not named here has no way to a
/// replica: the list of what runs is the tree's types, {@link org.quiredb.sql.tree.Function} and
/// the operators.
///
/// Invariant: every word, `?` and constant of the text has its place in the tree, or there is no
/// tree. A parser that passes over something cannot change a statement's meaning.
///
/// What is neither a query nor a change of rows, {@link org.quiredb.sql.command} reads from the
/// same tokens. No other module cuts text; what master and logger have to know of a schema change's
/// text comes along with it ({@link org.quiredb.common.schema.SchemaNames}).
///
/// Threads: any; readings are immutable and cached by text.
@NullMarked
package org.quiredb.sql;

import org.jspecify.annotations.NullMarked;
