/// How one statement of a session is run.
///
/// {@link org.quiredb.scheduler.session.statement.Statements} tells by a statement's classification
/// what runs it, and leaves it to {@link org.quiredb.scheduler.session.transaction}, {@link
/// org.quiredb.scheduler.session.evaluate} or {@link org.quiredb.scheduler.session.backend}, which
/// use each other in this order and know nothing of it. What needs to wait for nobody is run by
/// {@link org.quiredb.scheduler.session.statement.AtOnce} before that.
///
/// What names a temporary table of the session runs on the backend, in the connection that has it
/// ({@link org.quiredb.scheduler.session.statement.TemporaryStatements}).
@NullMarked
package org.quiredb.scheduler.session.statement;

import org.jspecify.annotations.NullMarked;
