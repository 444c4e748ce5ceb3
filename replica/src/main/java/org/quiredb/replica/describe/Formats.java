package org.quiredb.replica.describe;

/// How long DATE_FORMAT takes a format to become.
final class Formats {
    private static final int NAME = 64;
    private static final int SHORT_NAME = 32;

    private Formats() {}

    static long length(String format) {
        long length = 0;
        for (int i = 0; i < format.length(); i++) {
            char c = format.charAt(i);
            if (c == '%' && i + 1 < format.length()) {
                length += specifier(format.charAt(++i));
            } else {
                length += Character.isLowSurrogate(c) ? 0 : 1;
            }
        }
        return length;
    }

    private static int specifier(char c) {
        return switch (c) {
            case 'M', 'W' -> NAME;
            case 'D', 'Y', 'x', 'X' -> 4;
            case 'a', 'b' -> SHORT_NAME;
            case 'j' -> 3;
            case 'u', 'U', 'v', 'V', 'y', 'm', 'd', 'h', 'i', 'I', 'l', 'p', 'S', 's', 'c', 'e' ->
                    2;
            case 'k', 'H' -> 7;
            case 'r' -> 11;
            case 'T' -> 8;
            case 'f' -> 6;
            default -> 1;
        };
    }
}
