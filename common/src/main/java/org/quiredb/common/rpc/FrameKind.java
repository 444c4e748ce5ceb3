package org.quiredb.common.rpc;

import org.quiredb.common.wire.MangledMessageException;

/// What a frame is; the first three travel from client to server, the others back.
enum FrameKind {
    REQUEST(1),
    /// Body: how many bytes of the window come back, as 32 bits.
    CREDIT(2),
    CANCEL(3),
    PART(4),
    END(5),
    /// Body: the reason as text.
    FAILED(6),
    /// From the client: nobody wants the call's work any more; its end is waited for.
    STOP(7);

    private final int code;

    FrameKind(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static FrameKind of(int code) {
        for (FrameKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new MangledMessageException("frame of kind " + code);
    }
}
