/// The endpoint applications talk to. It speaks the MySQL client/server protocol, classifies each
/// transaction (read-only or update, which tables), binds reads to a tag, picks the replica, relays
/// the result bytes untouched and keeps client connections alive across failures.
///
/// It holds no data: its state is the version vector, the topology and its own client sessions.
/// Several schedulers work side by side.
///
/// Arrows: depends on common only. Netty is imported in `org.quiredb.scheduler.endpoint` only, JDBC
/// in `org.quiredb.scheduler.fallback` only; the decisions in `org.quiredb.scheduler.route` are
/// pure.
@NullMarked
package org.quiredb.scheduler;

import org.jspecify.annotations.NullMarked;
