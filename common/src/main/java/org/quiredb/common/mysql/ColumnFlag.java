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

    /// Neither has it a default nor can it be NULL, so that a new row must name it.
    public static final int NO_DEFAULT_VALUE = 4096;

    public static final int ON_UPDATE_NOW = 8192;

    /// Of any key.
    public static final int PART_KEY = 16_384;

    private ColumnFlag() {}
}
