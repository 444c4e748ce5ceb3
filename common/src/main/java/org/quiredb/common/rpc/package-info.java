/// Calls between processes: requests, streamed answers with a window, over one connection.
///
/// A connection carries frames, each with its length, a kind, the number of its call, and a body
/// ({@link FrameKind}). The client numbers the calls; requests and answers of different calls mix
/// freely. An answer is any number of parts and one end, or a failure. The server has a window of
/// {@link Frames#WINDOW_BYTES} per call: it sends parts while some of it is left, and the client
/// gives back what its receiver has taken in, so that a slow receiver stops its own handler and no
/// one else.
///
/// What a call costs is threads that wake each other, so few do:
///
/// - a frame is written to the socket by the thread that has it ({@link
///   org.quiredb.common.socket}), and an answer is received on the event loop that reads it;
/// - a handler says which requests are short ({@link RpcHandler#handleNow}): those are handled on
///   the event loop that reads them, at most a few in a turn, everything else on a virtual thread
///   of its own, so that nothing long holds up anything. What a thread of the handler does in its
///   turn anyway takes none ({@link RpcHandler#begin}): that thread ends the call;
/// - a client whose server is in its own process ({@link LocalServer}) calls it without a socket:
///   what is short on the caller's thread, and all that a caller waits for anyway ({@link
///   RpcClient#callHere}), everything else on a virtual thread. Windows, bounds, stops and the end
///   of either side are as over a socket, and so is trust: who does not hold the server's secret
///   goes by the socket, and is refused there.
///
/// Invariant: once a receiver was told that its call failed, nothing of that call reaches it: the
/// caller may have begun the same elsewhere. Over a socket the event loop sees to it, within one
/// process the lock of the call.
///
/// Where the cluster has a secret, a connection begins with a handshake of it ({@link
/// org.quiredb.common.trust}), behind a gate that lets nothing else through, and each frame's
/// content is sealed from then on. A server may have answers for strangers too ({@link
/// RpcHandler#admitsStrangers}): those are bounded in size, number and time.
///
/// Nothing is repeated and nothing is hidden: when the connection goes, every call under way fails
/// at once, and whether the server acted on it is unknown. Connecting again is the caller's matter.
/// By example: RpcTest, LocalRpcTest, SealedRpcTest.
@NullMarked
package org.quiredb.common.rpc;

import org.jspecify.annotations.NullMarked;
