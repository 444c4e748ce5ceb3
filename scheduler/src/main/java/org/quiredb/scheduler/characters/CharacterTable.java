package org.quiredb.scheduler.characters;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.util.Arrays;

/// The characters of a set by their bytes, and the other way round.
///
/// A character's bytes are a number, the first one highest. None has more than three bytes, of
/// which the first is always the same then.
///
/// Threads: any; never changed.
final class CharacterTable {
    private static final char NONE = '\uFFFF';
    private static final int FIRST_OTHER = 0x80;
    private static final int MOST_OF_TWO = 0xFFFF;

    private final char[] characters = new char[MOST_OF_TWO + 1];
    private final char[] ofThree;
    private final int[] codes = new int[MOST_OF_TWO + 1];

    /// @param privateUse whether characters of private use are the set's
    /// @param corrections `bytes=character` each, in hexadecimal, without a character where there
    ///   is none; of several bytes of a character the last ones are written
    CharacterTable(Charset charset, Shape shape, boolean privateUse, String corrections) {
        Arrays.fill(characters, NONE);
        ofThree = new char[shape.bytes == 3 ? MOST_OF_TWO + 1 : 0];
        Arrays.fill(ofThree, NONE);
        CharsetDecoder decoder = charset.newDecoder();
        for (int code = 0; code <= MOST_OF_TWO; code++) {
            add(code, shape, decoder, privateUse);
        }
        for (int code = 0; code < ofThree.length; code++) {
            add(0x8F0000 | code, shape, decoder, privateUse);
        }
        for (String correction : corrections.isEmpty() ? new String[0] : corrections.split(" ")) {
            String[] pair = correction.split("=", 2);
            int code = Integer.parseInt(pair[0], 16);
            char character = pair[1].isEmpty() ? NONE : (char) Integer.parseInt(pair[1], 16);
            put(code, character);
            if (character >= FIRST_OTHER && character != NONE) {
                codes[character] = code;
            }
        }
        for (int code = 0; code <= MOST_OF_TWO; code++) {
            codes(code, charset);
        }
        for (int code = 0; code < ofThree.length; code++) {
            codes(0x8F0000 | code, charset);
        }
    }

    private void add(int code, Shape shape, CharsetDecoder decoder, boolean privateUse) {
        byte[] bytes = bytes(code);
        if (shape.length(bytes, 0, bytes.length) != bytes.length) {
            return;
        }
        try {
            CharBuffer decoded = decoder.decode(ByteBuffer.wrap(bytes));
            boolean one = decoded.length() == 1;
            if (one && (privateUse || Character.getType(decoded.get(0)) != Character.PRIVATE_USE)) {
                put(code, decoded.get(0));
            }
        } catch (CharacterCodingException e) {
            return; // the set does not have it
        }
    }

    private void put(int code, char character) {
        if (code > MOST_OF_TWO) {
            ofThree[code & MOST_OF_TWO] = character;
        } else {
            characters[code] = character;
        }
    }

    /// Of several codes of a character the one that Java writes, else the first.
    private void codes(int code, Charset charset) {
        char character = character(code);
        if (character == NONE || codes[character] != 0) {
            return;
        }
        int written = code(charset.encode(String.valueOf(character)));
        codes[character] = character(written) == character ? written : code;
    }

    private static int code(ByteBuffer bytes) {
        int code = 0;
        while (bytes.hasRemaining()) {
            code = code << 8 | (bytes.get() & 0xFF);
        }
        return code;
    }

    private char character(int code) {
        return code <= MOST_OF_TWO ? characters[code] : ofThree[code & MOST_OF_TWO];
    }

    static byte[] bytes(int code) {
        return code > MOST_OF_TWO
                ? new byte[] {(byte) (code >> 16), (byte) (code >> 8), (byte) code}
                : code > 0xFF
                        ? new byte[] {(byte) (code >> 8), (byte) code}
                        : new byte[] {(byte) code};
    }

    /// @return negative where the set has none
    int character(byte[] text, int at, int length) {
        int code = 0;
        for (int i = at; i < at + length; i++) {
            code = code << 8 | (text[i] & 0xFF);
        }
        char character = character(code);
        return character == NONE ? -1 : character;
    }

    /// @return negative where the set does not have it
    int code(int codePoint) {
        int code = codePoint <= MOST_OF_TWO ? codes[codePoint] : 0;
        return code == 0 && codePoint != 0 ? -1 : code;
    }
}
