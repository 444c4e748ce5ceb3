/// A client's session: what it has set, the transaction it is in, and how each of its statements is
/// run.
///
/// {@link SessionState} and {@link Assignments} are pure; {@link ClientSession} runs one statement
/// after the other with what they say. A session lives on its connection's virtual thread.
///
/// What memory does not run in an update transaction runs on the backend over the transaction's own
/// rows: reads ({@link org.quiredb.scheduler.session.OverlaidReads}), and changes, whose rows are
/// then changed on the master ({@link org.quiredb.scheduler.session.EvaluatedChanges}); so does a
/// whole CALL that changes rows ({@link org.quiredb.scheduler.session.ProcedureCalls}), and a
/// change with the triggers that it fires ({@link org.quiredb.scheduler.session.FiringChanges}).
///
/// What names a temporary table of the session runs on the backend, in the connection that has it
/// ({@link org.quiredb.scheduler.session.TemporaryTables}, {@link
/// org.quiredb.scheduler.session.TemporaryStatements}). Beside the client's transaction there is
/// one in that connection, which ends after it and as it did.
///
/// A statement is stopped wherever it runs by one signal ({@link
/// org.quiredb.common.lifecycle.StopSignal}): KILL, a time limit and the end of the connection ask
/// for it ({@link org.quiredb.scheduler.session.Interruption}), and who runs the statement passes
/// it on, to a replica as a frame of its call, to the backend as KILL QUERY.
@NullMarked
package org.quiredb.scheduler.session;

import org.jspecify.annotations.NullMarked;
