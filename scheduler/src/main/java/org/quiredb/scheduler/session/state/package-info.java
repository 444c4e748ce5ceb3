/// A client as its session has it: what it has set, its variables, the transaction it is in, what
/// its statements have said, and what a statement is and where its answer goes; beside that, what
/// all sessions of a scheduler share ({@link org.quiredb.scheduler.session.state.Services}).
///
/// {@link org.quiredb.scheduler.session.state.SessionState} is pure: nothing here asks anybody.
@NullMarked
package org.quiredb.scheduler.session.state;

import org.jspecify.annotations.NullMarked;
