/// What a session sets: the server's variables, as far as they are the session's own, and the
/// user's; for good, or for one statement.
///
/// {@link org.quiredb.scheduler.session.setting.Assignments} is pure.
@NullMarked
package org.quiredb.scheduler.session.setting;

import org.jspecify.annotations.NullMarked;
