package org.quiredb.common.rpc;

/// A call that got no answer; whether the other side acted on it is unknown.
public final class RpcException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public RpcException(String message) {
        super(message);
    }

    public RpcException(String message, Throwable cause) {
        super(message, cause);
    }
}
