/// Statements that only the backend runs with MySQL's exact meaning, over JDBC.
///
/// A pooled connection takes on the client's session (database, variables) before each statement
/// and the answer is encoded anew, row by row as it comes, as the packets that the backend itself
/// would have sent. No statement and no snapshot keeps a connection for long that others wait for
/// ({@link org.quiredb.scheduler.fallback.Seats}). This is the only package that sees JDBC.
///
/// Rows of a client's open transaction are laid over the backend's ({@link
/// org.quiredb.scheduler.fallback.LaidRows}) in a transaction there that is always rolled back.
/// Invariant: nothing but the appliers changes a backend's rows for good.
///
/// Invariant: what a client has asked for runs on a connection that the backend has let in as that
/// client's account; only for the account of the configuration is it Quire's own. The one right
/// that such a connection lacks, to read how far the appliers are, Quire's own connection makes up
/// for.
@NullMarked
package org.quiredb.scheduler.fallback;

import org.jspecify.annotations.NullMarked;
