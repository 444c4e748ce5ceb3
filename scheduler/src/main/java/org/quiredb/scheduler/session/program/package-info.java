/// Stored procedures that do more than read and change rows: transactions, definitions, prepared
/// texts, temporary tables, settings of the session. Nobody runs them as a whole. They are
/// interpreted here, one statement after the other, and each is run as if the client had sent it:
/// so a transaction that goes on on another master, implicit commits, locks and what is left of a
/// statement for the next are those of any other session.
///
/// {@link org.quiredb.scheduler.session.program.Programs} takes a CALL, once it was looked at and
/// refused for what it does. It reads the procedure and all that this may call ({@link
/// org.quiredb.scheduler.session.program.Library}) and refuses what is not understood, before
/// anything is run. {@link org.quiredb.scheduler.session.program.Interpreter} then goes from step
/// to step, in scopes with variables, cursors and handlers.
///
/// What expressions come to, and how values become those of a variable's type, only a server knows
/// in full. So the backend computes both, in a block that declares the variables which an
/// expression names ({@link org.quiredb.scheduler.session.program.Computed}). What reads tables or
/// calls stored functions is a query of the session's instead, with literals for the variables, as
/// all statements have: it must see what the transaction has changed.
///
/// Invariant: whatever ends a procedure, the session's database and sql_mode are then those that it
/// was called with.
@NullMarked
package org.quiredb.scheduler.session.program;

import org.jspecify.annotations.NullMarked;
