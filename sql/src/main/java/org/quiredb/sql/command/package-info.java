/// What is no query and no change of rows: DDL, SET, KILL and the words of transactions, read from
/// the same tokens.
///
/// By hand, because the kept parser loses words of them ({@link org.quiredb.sql.parse}). A reader
/// here takes the forms that it knows and says so of everything else; it never guesses.
///
/// Invariant: a schema change's {@link org.quiredb.sql.command.SchemaStatement#uses} are all that
/// it can touch, or it is not understood; its {@link org.quiredb.common.schema.SchemaNames} are
/// never fewer than the names that it touches, understood or not.
///
/// Pure. Threads: any. By example: SchemaStatementTest, SettingsTest, and the scheduler's
/// RequirementsTest.
@NullMarked
package org.quiredb.sql.command;

import org.jspecify.annotations.NullMarked;
