/// Statements that only the backend runs with MySQL's exact meaning, over JDBC.
///
/// A pooled connection ({@link org.quiredb.scheduler.fallback.connection}) takes on the client's
/// session (database, variables) before each statement and the answer is encoded anew, row by row
/// as it comes, as the packets that the backend itself would have sent. No statement and no
/// snapshot keeps a connection for long that others wait for ({@link
/// org.quiredb.scheduler.fallback.connection.Seats}). These two are the only packages of the
/// scheduler that see JDBC.
///
/// Rows of a client's open transaction are laid over the backend's ({@link
/// org.quiredb.scheduler.fallback.LaidRows}) in a transaction there that is always rolled back.
/// Invariant: nothing but the appliers changes a backend's rows for good.
@NullMarked
package org.quiredb.scheduler.fallback;

import org.jspecify.annotations.NullMarked;
