package org.quiredb.replica.tree;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/// Keys of which none is a prefix of another: text ended by a zero byte.
final class Keys {
    private Keys() {}

    static byte[] random(Random random, int different, int longest) {
        int number = random.nextInt(different);
        int length = 1 + (int) (((long) number * 7919) % longest);
        char[] fill = new char[length];
        Arrays.fill(fill, (char) ('a' + number % 23));
        return text(new String(fill) + number);
    }

    static byte[] ascending(int number) {
        return text(String.format("%010d", number));
    }

    static byte[] text(String text) {
        return (text + "\0").getBytes(StandardCharsets.UTF_8);
    }
}
