/// A client's session: what it has set, the transaction it is in, and how each of its statements is
/// run.
///
/// {@link SessionState} and {@link Assignments} are pure; {@link ClientSession} runs one statement
/// after the other with what they say. A session lives on its connection's virtual thread.
@NullMarked
package org.quiredb.scheduler.session;

import org.jspecify.annotations.NullMarked;
