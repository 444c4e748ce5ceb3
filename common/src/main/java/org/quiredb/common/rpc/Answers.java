package org.quiredb.common.rpc;

/// The way of answers from a server's calls to their callers. Nothing in it waits.
interface Answers {
    void part(long call, byte[] bytes);

    void end(long call, byte[] message);

    void failed(long call, String reason);
}
