/// A client's session, and the clients that there are.
///
/// {@link ClientSession} takes one statement after the other, has it run by {@link
/// org.quiredb.scheduler.session.statement} with what {@link
/// org.quiredb.scheduler.session.state.SessionState} says, and counts it. A session lives on its
/// connection's virtual thread.
///
/// A statement is stopped wherever it runs by one signal ({@link
/// org.quiredb.common.lifecycle.StopSignal}): KILL, a time limit and the end of the connection ask
/// for it ({@link org.quiredb.scheduler.session.Interruption}), and who runs the statement passes
/// it on, to a replica as a frame of its call, to the backend as KILL QUERY.
@NullMarked
package org.quiredb.scheduler.session;

import org.jspecify.annotations.NullMarked;
