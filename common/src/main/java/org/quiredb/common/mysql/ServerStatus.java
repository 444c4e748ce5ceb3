package org.quiredb.common.mysql;

/// The status flags of OK and EOF packets, to be or-ed.
public final class ServerStatus {
    public static final int IN_TRANSACTION = 1;
    public static final int AUTOCOMMIT = 2;
    public static final int MORE_RESULTS = 8;
    public static final int NO_BACKSLASH_ESCAPES = 512;

    /// SERVER_PS_OUT_PARAMS
    public static final int OUT_PARAMETERS = 0x1000;

    public static final int IN_READ_ONLY_TRANSACTION = 0x2000;

    private ServerStatus() {}
}
