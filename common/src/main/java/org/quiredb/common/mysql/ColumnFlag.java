package org.quiredb.common.mysql;

/// The flags of a column definition, to be or-ed.
public final class ColumnFlag {
    public static final int NOT_NULL = 1;
    public static final int PRIMARY_KEY = 2;
    public static final int UNIQUE_KEY = 4;
    public static final int MULTIPLE_KEY = 8;
    public static final int BLOB = 16;
    public static final int UNSIGNED = 32;
    public static final int ZEROFILL = 64;
    public static final int BINARY = 128;
    public static final int ENUM = 256;
    public static final int AUTO_INCREMENT = 512;
    public static final int TIMESTAMP = 1024;
    public static final int SET = 2048;

    private ColumnFlag() {}
}
