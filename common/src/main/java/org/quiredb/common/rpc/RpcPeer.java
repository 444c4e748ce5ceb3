package org.quiredb.common.rpc;

/// One connection to a server, as its handler sees it.
///
/// @param id unique within the server's life
/// @param address the other side's address, for messages
public record RpcPeer(long id, String address) {}
