/// Changes that memory does not evaluate: the backend runs them over the transaction's own rows and
/// rolls them back, and the rows that they have changed there are then changed on the master
/// ({@link org.quiredb.scheduler.session.evaluate.EvaluatedChanges}). So does a whole CALL that
/// changes rows ({@link org.quiredb.scheduler.session.evaluate.ProcedureCalls}), and a change with
/// the triggers that it fires ({@link org.quiredb.scheduler.session.evaluate.FiringChanges}).
@NullMarked
package org.quiredb.scheduler.session.evaluate;

import org.jspecify.annotations.NullMarked;
