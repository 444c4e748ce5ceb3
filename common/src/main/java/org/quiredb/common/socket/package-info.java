/// Sockets that are written by the thread that has something to say.
///
/// An event loop reads each connection, and is woken by the socket alone. What goes out is written
/// to the socket by whoever has it, without waiting; to hand it to the loop instead would wake the
/// loop's thread first, which costs many times what the write does. Only what a full socket does
/// not take is handed to the loop, and whatever comes after it until that has left.
///
/// Invariant: bytes leave in the order in which they were given to the connection's {@link
/// org.quiredb.common.socket.DirectWriter}, and nothing else writes to its channel while it has
/// one.
///
/// Threads: any.
@NullMarked
package org.quiredb.common.socket;

import org.jspecify.annotations.NullMarked;
