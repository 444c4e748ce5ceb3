package org.quiredb.replica.layout;

import java.nio.charset.Charset;

/// Which texts there are in character sets of a byte.
public final class SingleByteSets {
    private SingleByteSets() {}

    public static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }

    public static boolean isLatin1(String text) {
        return isAscii(text) || Charset.forName("windows-1252").newEncoder().canEncode(text);
    }
}
