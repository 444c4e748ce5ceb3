package org.quiredb.common.wire;

/// A message that its encoder cannot have written: truncated, damaged, or of a version this program
/// does not speak.
public final class MangledMessageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MangledMessageException(String what) {
        super("mangled message: " + what);
    }

    public MangledMessageException(String what, Throwable cause) {
        super("mangled message: " + what, cause);
    }
}
