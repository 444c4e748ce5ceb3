/// Connections to the backend's servers: as whom they are logged in ({@link
/// org.quiredb.scheduler.fallback.connection.BackendLogin}), the session of a client that one takes
/// on ({@link org.quiredb.scheduler.fallback.connection.BackendSession}), how many there may be
/// ({@link org.quiredb.scheduler.fallback.connection.Seats}), how a statement on one is stopped,
/// and what a statement has shown and left behind there.
///
/// Invariant: what a client has asked for runs on a connection that the backend has let in as that
/// client's account; only for the account of the configuration is it Quire's own. The one right
/// that such a connection lacks, to read how far the appliers are, Quire's own connection makes up
/// for.
@NullMarked
package org.quiredb.scheduler.fallback.connection;

import org.jspecify.annotations.NullMarked;
