/// The MySQL protocol as a server speaks it (4.1, classic EOF packets, TLS, no compression), on
/// Netty.
///
/// The event loop only cuts packets. Every client connection has a virtual thread that reads one
/// command, runs it to its end and reads the next. While a command runs no more than the next one
/// is read, which bounds what a client can pile up and still tells that it has gone: its statement
/// is stopped then. Connections that have not logged in are no clients and have bounds of their own
/// ({@link org.quiredb.scheduler.endpoint.Arrivals}). Result packets go from the replica's
/// connection straight to the client's, byte for byte.
///
/// A client's first packet may ask for TLS: then the rest of its bytes go through TLS, whenever
/// they arrive, and the login follows in there. A login without the right password takes longer
/// each time.
///
/// Source: MySQL internals manual, "Client/Server Protocol". By example: LoginTest, EndpointTest.
@NullMarked
package org.quiredb.scheduler.endpoint;

import org.jspecify.annotations.NullMarked;
