/// What a session asks of the backend, in its own name and with what it has set: a statement as the
/// backend is to have it ({@link org.quiredb.scheduler.session.backend.SessionText}), the locks
/// that the backend keeps for it, and the programs that a statement calls there ({@link
/// org.quiredb.scheduler.session.backend.ProgramWalk}).
///
/// Invariant: what the backend answers of tables is not before the scheduler's current vector, and
/// what it showed beyond that is learned before the client has it ({@link
/// org.quiredb.scheduler.session.backend.CaughtUp}).
@NullMarked
package org.quiredb.scheduler.session.backend;

import org.jspecify.annotations.NullMarked;
