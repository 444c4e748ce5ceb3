/// MySQL's client/server protocol as bytes, without any I/O: payloads, columns, rows, and the
/// framing into packets.
///
/// A replica encodes a result once, as the packets that the client will see ({@link
/// ResultSetEncoder}); the scheduler relays them. The same text form of a value is what row digests
/// are made of ({@link ValueText}).
///
/// Source: MySQL internals manual, "Client/Server Protocol"; protocol 4.1 with classic EOF packets.
/// By example: ResultSetEncoderTest.
@NullMarked
package org.quiredb.common.mysql;

import org.jspecify.annotations.NullMarked;
