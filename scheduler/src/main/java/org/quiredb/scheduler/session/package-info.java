/// A client's session: how each of its statements is run.
///
/// {@link ClientSession} runs one statement after the other with what {@link
/// org.quiredb.scheduler.session.state.SessionState} says, and leaves it to {@link
/// org.quiredb.scheduler.session.transaction}, {@link org.quiredb.scheduler.session.evaluate} or
/// {@link org.quiredb.scheduler.session.backend}, which use each other in this order and know
/// nothing of it. {@link Assignments} is pure. A session lives on its connection's virtual thread.
///
/// What names a temporary table of the session runs on the backend, in the connection that has it
/// ({@link org.quiredb.scheduler.session.TemporaryStatements}).
///
/// A statement is stopped wherever it runs by one signal ({@link
/// org.quiredb.common.lifecycle.StopSignal}): KILL, a time limit and the end of the connection ask
/// for it ({@link org.quiredb.scheduler.session.Interruption}), and who runs the statement passes
/// it on, to a replica as a frame of its call, to the backend as KILL QUERY.
@NullMarked
package org.quiredb.scheduler.session;

import org.jspecify.annotations.NullMarked;
