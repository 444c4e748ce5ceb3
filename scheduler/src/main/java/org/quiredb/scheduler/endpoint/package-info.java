/// The MySQL protocol as a server speaks it (4.1, classic EOF packets, TLS, no compression), on
/// Netty.
///
/// Every client connection has a virtual thread that reads one command, runs it to its end and
/// reads the next. While a command runs no more than the next ones are read that two reads of the
/// socket yield, which bounds what a client can pile up and still tells that it has gone: its
/// statement is stopped then.
///
/// The event loop cuts packets, and answers what is short while that thread waits: an autocommit
/// read by key that a replica of this process is known to answer at once, at its tag, as
/// everywhere. Such a read is a packet in and a packet out on one thread. It has no effect until
/// its whole answer is there; whatever is in its way, from a tag that is yet to be agreed on to a
/// replica that refuses, leaves the command to the connection's thread, as if nobody had looked at
/// it. Packets go out on the thread that has them ({@link org.quiredb.common.socket}), unless TLS
/// is to close them. Connections that have not logged in are no clients and have bounds of their
/// own ({@link org.quiredb.scheduler.endpoint.Arrivals}). Result packets go from the replica's
/// connection straight to the client's, byte for byte; to a client that is shown another character
/// set than UTF-8 in that set ({@link org.quiredb.scheduler.characters}), and to one that has asked
/// for MariaDB's extended metadata with those added ({@link
/// org.quiredb.scheduler.endpoint.ExtendedMetadata}).
///
/// A client's first packet may ask for TLS: then the rest of its bytes go through TLS, whenever
/// they arrive, and the login follows in there. A login without the right password takes longer
/// each time.
///
/// Source: MySQL internals manual, "Client/Server Protocol". By example: LoginTest, EndpointTest.
@NullMarked
package org.quiredb.scheduler.endpoint;

import org.jspecify.annotations.NullMarked;
