package org.quiredb.scheduler.characters;

/// Which bytes are one character.
///
/// Source: the sets' encodings, as MariaDB checks them before it looks for a character.
enum Shape {
    UTF8(4),
    SINGLE(1),
    GBK(2),
    GB2312(2),
    BIG5(2),
    SJIS(2),
    EUC_KR(2),
    EUC_JP(3);

    /// The longest character.
    final int bytes;

    Shape(int bytes) {
        this.bytes = bytes;
    }

    /// How many bytes the character has that begins here; 1 where what begins here is none.
    int length(byte[] text, int at, int end) {
        int first = text[at] & 0xFF;
        if (first < 0x80 || at + 1 >= end) {
            return 1;
        }
        int second = text[at + 1] & 0xFF;
        boolean high = isIn(second, 0xA1, 0xFE);
        boolean two =
                switch (this) {
                    case UTF8, SINGLE -> false;
                    case GBK ->
                            isIn(first, 0x81, 0xFE)
                                    && (isIn(second, 0x40, 0x7E) || isIn(second, 0x80, 0xFE));
                    case GB2312 -> isIn(first, 0xA1, 0xF7) && high;
                    case BIG5 -> isIn(first, 0xA1, 0xF9) && (isIn(second, 0x40, 0x7E) || high);
                    case SJIS ->
                            (isIn(first, 0x81, 0x9F) || isIn(first, 0xE0, 0xFC))
                                    && (isIn(second, 0x40, 0x7E) || isIn(second, 0x80, 0xFC));
                    case EUC_KR ->
                            isIn(first, 0x81, 0xFE)
                                    && (isIn(second, 0x41, 0x5A)
                                            || isIn(second, 0x61, 0x7A)
                                            || isIn(second, 0x81, 0xFE));
                    case EUC_JP ->
                            (first == 0x8E && isIn(second, 0xA1, 0xDF))
                                    || (isIn(first, 0xA1, 0xFE) && high);
                };
        if (two) {
            return 2;
        }
        boolean three =
                this == EUC_JP
                        && first == 0x8F
                        && high
                        && at + 2 < end
                        && isIn(text[at + 2] & 0xFF, 0xA1, 0xFE);
        return three ? 3 : 1;
    }

    private static boolean isIn(int value, int least, int most) {
        return value >= least && value <= most;
    }
}
