package org.quiredb.replica.file;

import org.jspecify.annotations.Nullable;

/// The file of pages cannot be read or written, or holds something else than was written.
public final class PageFileException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PageFileException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
