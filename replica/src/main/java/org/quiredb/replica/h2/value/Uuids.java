package org.quiredb.replica.h2.value;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.UUID;
import org.h2.value.Value;
import org.h2.value.ValueUuid;
import org.jspecify.annotations.Nullable;

/// MariaDB's type UUID.
///
/// A value of H2's type has the bytes in the order in which MariaDB keeps them, so that it compares
/// as there: of versions up to 5 the groups of digits are turned around, the last one first,
/// because of these the first changes fastest; later versions stay as they are written. H2 must
/// never make such a value of a text, or a text of it, by itself.
///
/// Threads: any.
public final class Uuids {
    public static final int BYTES = 16;

    private static final int DIGITS = 2 * BYTES;

    /// Where the groups begin that are turned around, and where the last ends.
    private static final int[] GROUPS = {0, 4, 6, 8, 10, 16};

    private static final int VERSION = 6;
    private static final int VARIANT = 8;
    private static final int VERSION_TURNED = 8;
    private static final int VARIANT_TURNED = 6;
    private static final int FIRST_AS_WRITTEN = 0x60;
    private static final int FIRST_THAT_NEEDS_A_VARIANT = 0x80;

    private Uuids() {}

    /// 32 digits with any hyphens between them; null for any other text.
    public static @Nullable ValueUuid ofText(String text) {
        StringBuilder digits = new StringBuilder(DIGITS);
        text.chars().filter(c -> c != '-').forEach(c -> digits.append((char) c));
        boolean written =
                digits.length() == DIGITS
                        && digits.chars().allMatch(HexFormat::isHexDigit)
                        && !text.startsWith("-")
                        && !text.endsWith("-");
        return written ? ofBytes(HexFormat.of().parseHex(digits)) : null;
    }

    /// The bytes in the order in which they are written; null for what MariaDB takes for no UUID.
    public static @Nullable ValueUuid ofBytes(byte[] written) {
        if (written.length != BYTES
                || ((written[VERSION] & 0xFF) >= FIRST_THAT_NEEDS_A_VARIANT
                        && written[VARIANT] >= 0)) {
            return null;
        }
        boolean turned = (written[VERSION] & 0xFF) < FIRST_AS_WRITTEN && written[VARIANT] < 0;
        return ofKept(turned ? turned(written) : written, 0);
    }

    /// From a row.
    static ValueUuid ofKept(byte[] kept, int offset) {
        ByteBuffer buffer = ByteBuffer.wrap(kept, offset, BYTES);
        return ValueUuid.get(buffer.getLong(), buffer.getLong());
    }

    /// For a row or a key.
    static byte[] kept(Value value) {
        ValueUuid uuid = (ValueUuid) value;
        return ByteBuffer.allocate(BYTES).putLong(uuid.getHigh()).putLong(uuid.getLow()).array();
    }

    /// In the order in which they are written.
    public static byte[] bytes(Value value) {
        byte[] kept = kept(value);
        boolean turned = kept[VARIANT_TURNED] < 0 && kept[VERSION_TURNED] >= 0;
        return turned ? turnedBack(kept) : kept;
    }

    public static String text(Value value) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes(value));
        return new UUID(buffer.getLong(), buffer.getLong()).toString();
    }

    private static byte[] turned(byte[] written) {
        byte[] kept = new byte[BYTES];
        int at = 0;
        for (int i = GROUPS.length - 2; i >= 0; i--) {
            int length = GROUPS[i + 1] - GROUPS[i];
            System.arraycopy(written, GROUPS[i], kept, at, length);
            at += length;
        }
        return kept;
    }

    private static byte[] turnedBack(byte[] kept) {
        byte[] written = new byte[BYTES];
        int at = 0;
        for (int i = GROUPS.length - 2; i >= 0; i--) {
            int length = GROUPS[i + 1] - GROUPS[i];
            System.arraycopy(kept, at, written, GROUPS[i], length);
            at += length;
        }
        return written;
    }
}
