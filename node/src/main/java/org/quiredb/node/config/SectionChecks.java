package org.quiredb.node.config;

/// Conditions that several sections share.
final class SectionChecks {
    private SectionChecks() {}

    static void port(String key, int port) {
        between(key, port, 1, 0xFFFF);
    }

    static void between(String key, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s must be between %d and %d, not %d".formatted(key, least, most, value));
        }
    }

    static void present(String key, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException(key + " must not be empty");
        }
    }
}
