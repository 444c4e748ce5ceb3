package org.quiredb.scheduler.endpoint;

/// The capability flags that the server offers or looks at.
final class Capability {
    static final int LONG_PASSWORD = 1;
    static final int FOUND_ROWS = 1 << 1;
    static final int LONG_FLAG = 1 << 2;
    static final int CONNECT_WITH_DB = 1 << 3;
    static final int LOCAL_FILES = 1 << 7;
    static final int IGNORE_SPACE = 1 << 8;
    static final int PROTOCOL_41 = 1 << 9;
    static final int INTERACTIVE = 1 << 10;
    static final int SSL = 1 << 11;
    static final int TRANSACTIONS = 1 << 13;
    static final int SECURE_CONNECTION = 1 << 15;
    static final int MULTI_STATEMENTS = 1 << 16;
    static final int MULTI_RESULTS = 1 << 17;
    static final int PS_MULTI_RESULTS = 1 << 18;
    static final int PLUGIN_AUTH = 1 << 19;
    static final int CONNECT_ATTRS = 1 << 20;
    static final int PLUGIN_AUTH_LENENC_DATA = 1 << 21;

    /// But for TLS, which is offered where it is configured.
    static final int OFFERED =
            LONG_PASSWORD
                    | FOUND_ROWS
                    | LONG_FLAG
                    | CONNECT_WITH_DB
                    | LOCAL_FILES
                    | IGNORE_SPACE
                    | PROTOCOL_41
                    | INTERACTIVE
                    | TRANSACTIONS
                    | SECURE_CONNECTION
                    | MULTI_STATEMENTS
                    | MULTI_RESULTS
                    | PS_MULTI_RESULTS
                    | PLUGIN_AUTH
                    | CONNECT_ATTRS
                    | PLUGIN_AUTH_LENENC_DATA;

    /// Of MariaDB's own capabilities, which it offers in place of LONG_PASSWORD.
    static final int MARIADB_EXTENDED_METADATA = 1 << 3;

    private Capability() {}
}
