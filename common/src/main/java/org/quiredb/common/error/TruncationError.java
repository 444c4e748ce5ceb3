package org.quiredb.common.error;

import java.util.Map;

/// An error of SQLSTATE class 22 as the server has told it. Connector/J makes a `DataTruncation` of
/// each, with the SQLSTATE 22001 and words of its own before the server's.
public final class TruncationError {
    private static final String OF_THE_DRIVER = "Data truncation: ";
    private static final String TOO_LONG = "22001";

    /// Source: MariaDB's and MySQL's error message references, class 22 but 22001.
    private static final Map<Integer, String> STATES =
            Map.ofEntries(
                    Map.entry(1263, "22004"),
                    Map.entry(1264, "22003"),
                    Map.entry(1292, "22007"),
                    Map.entry(1365, "22012"),
                    Map.entry(1366, "22007"),
                    Map.entry(1367, "22007"),
                    Map.entry(1416, "22003"),
                    Map.entry(1441, "22008"),
                    Map.entry(1690, "22003"),
                    Map.entry(1978, "22007"),
                    Map.entry(3140, "22032"),
                    Map.entry(3141, "22032"),
                    Map.entry(3144, "22032"),
                    Map.entry(3146, "22032"),
                    Map.entry(3147, "22032"),
                    Map.entry(3156, "22032"),
                    Map.entry(3157, "22032"),
                    Map.entry(3158, "22032"));

    private TruncationError() {}

    public static String sqlState(int number) {
        return STATES.getOrDefault(number, TOO_LONG);
    }

    /// @param told by the driver
    public static String message(String told) {
        return told.startsWith(OF_THE_DRIVER) ? told.substring(OF_THE_DRIVER.length()) : told;
    }
}
