package org.quiredb.common.error;

import org.jspecify.annotations.Nullable;

/// The SQLSTATE of an error as the server has told it. Where that is HY000 Connector/J puts one of
/// its own in its place.
public final class DriverState {
    private static final String GENERAL = "HY000";

    private DriverState() {}

    /// @param told by the driver
    public static String of(int number, @Nullable String told) {
        boolean unlike = number == ErrorCode.LOCK_WAIT_TIMEOUT.number(); // to the driver 40001
        return told == null || unlike ? GENERAL : told;
    }
}
