/// The MySQL protocol as a server speaks it (4.1, classic EOF packets, no TLS, no compression), on
/// Netty.
///
/// The event loop only cuts packets. Every client connection has a virtual thread that reads one
/// command, runs it to its end and reads the next; while a command runs, nothing is read from the
/// client, which bounds what it can pile up. Result packets go from the replica's connection
/// straight to the client's, byte for byte.
///
/// Source: MySQL internals manual, "Client/Server Protocol". By example: EndpointTest.
@NullMarked
package org.quiredb.scheduler.endpoint;

import org.jspecify.annotations.NullMarked;
