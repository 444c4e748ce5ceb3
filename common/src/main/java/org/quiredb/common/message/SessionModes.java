package org.quiredb.common.message;

import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// What a client has set that changes the meaning of its updates, as a restored dump does.
///
/// @param foreignKeysUnchecked foreign_key_checks = 0: no foreign key is checked, and none acts
/// @param zeroIsAValue sql_mode has NO_AUTO_VALUE_ON_ZERO
public record SessionModes(boolean foreignKeysUnchecked, boolean zeroIsAValue) {
    public static final SessionModes USUAL = new SessionModes(false, false);

    void encode(ByteWriter writer) {
        writer.bool(foreignKeysUnchecked).bool(zeroIsAValue);
    }

    static SessionModes decode(ByteReader reader) {
        return new SessionModes(reader.bool(), reader.bool());
    }
}
