/// Changes that memory does not evaluate: the backend runs them over the transaction's own rows and
/// rolls them back, and the rows that they have changed there are then changed on the master
/// ({@link org.quiredb.scheduler.session.evaluate.EvaluatedChanges}). So does a whole CALL that
/// changes rows ({@link org.quiredb.scheduler.session.evaluate.ProcedureCalls}), and a change with
/// the triggers that it fires ({@link org.quiredb.scheduler.session.evaluate.FiringChanges}).
///
/// A file that a client sends (LOAD DATA LOCAL INFILE, {@link
/// org.quiredb.scheduler.session.evaluate.FileLoads}) is read by the backend, too: what it says of
/// characters, fields, values and NULLs, and what it warns of, is a server's to know, and is more
/// than memory has. But it is no change to be evaluated there. Its rows are in no text, so that the
/// whole table would have to be locked and compared, of which at most `overlayRows` rows are looked
/// at; a file may have more than that and than this process can hold. So the backend loads it into
/// a temporary table of the same name and columns in a connection of the statement's own. That has
/// none of the table's keys: what is left out or replaced is for the master, which alone knows the
/// rows that are there, the transaction's own among them, and the next ids. Then its rows are read
/// in the order of the file, some at a time, and added on the master by INSERT IGNORE or REPLACE
/// within one savepoint: all of them or none. Nothing of the file waits here but what one read of
/// the socket brings; the client is not read on while the backend does not take it. A client that
/// is slow holds one of `longBackendConnections`, and as many as there are of these keep others
/// from them; one that is silent for as long as a server would wait, or gone, ends its own
/// statement. What is stopped, or refused by the backend, is read to its end all the same, since
/// only then a client takes an answer. A deadlock on the master, outside of a transaction, is tried
/// again from the temporary table: the client is asked for its file once. How much may be changed
/// by one transaction bounds it as any other (1197).
///
/// The client's own text runs there, and so do its mistakes. Values take no right; expressions in
/// SET run as the client's account, and name nothing but the file's own values.
@NullMarked
package org.quiredb.scheduler.session.evaluate;

import org.jspecify.annotations.NullMarked;
