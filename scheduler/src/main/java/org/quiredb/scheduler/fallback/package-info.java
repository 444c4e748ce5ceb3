/// Statements that only the backend runs with MySQL's exact meaning, over JDBC.
///
/// A pooled connection takes on the client's session (database, variables) before each statement
/// and the answer is encoded anew, row by row as it comes, as the packets that the backend itself
/// would have sent. No statement and no snapshot keeps a connection for long that others wait for
/// ({@link org.quiredb.scheduler.fallback.Seats}). This is the only package that sees JDBC.
@NullMarked
package org.quiredb.scheduler.fallback;

import org.jspecify.annotations.NullMarked;
