/// A stored procedure's text as a tree of its steps, for who runs it step by step.
///
/// {@link org.quiredb.sql.program.Program} reads it: blocks, what they declare, what leads from one
/// statement to another, and what has to do with variables of the program. Any other statement is a
/// {@link org.quiredb.sql.program.Step.Plain}, which nothing here looks into.
///
/// Invariant: what is not understood is refused when it is read, before anything is run.
@NullMarked
package org.quiredb.sql.program;

import org.jspecify.annotations.NullMarked;
