/// Calls between processes: requests, streamed answers with a window, over one connection.
///
/// A connection carries frames, each with its length, a kind, the number of its call, and a body
/// ({@link FrameKind}). The client numbers the calls; requests and answers of different calls mix
/// freely. An answer is any number of parts and one end, or a failure. The server has a window of
/// {@link Frames#WINDOW_BYTES} per call: it sends parts while some of it is left, and the client
/// gives back what its receiver has taken in, so that a slow receiver stops its own handler and no
/// one else.
///
/// Where the cluster has a secret, a connection begins with a handshake of it ({@link
/// org.quiredb.common.trust}), behind a gate that lets nothing else through, and each frame's
/// content is sealed from then on. A server may have answers for strangers too ({@link
/// RpcHandler#admitsStrangers}): those are bounded in size, number and time.
///
/// Nothing is repeated and nothing is hidden: when the connection goes, every call under way fails
/// at once, and whether the server acted on it is unknown. Connecting again is the caller's matter.
/// By example: RpcTest, SealedRpcTest.
@NullMarked
package org.quiredb.common.rpc;

import org.jspecify.annotations.NullMarked;
