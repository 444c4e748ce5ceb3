package org.quiredb.common.message;

import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// What a client has set that changes the meaning of its updates, as a restored dump does.
///
/// @param foreignKeysUnchecked foreign_key_checks = 0: no foreign key is checked, and none acts
/// @param zeroIsAValue sql_mode has NO_AUTO_VALUE_ON_ZERO
/// @param checked the backend has made the same change, so that its rows pass the CHECKs
public record SessionModes(boolean foreignKeysUnchecked, boolean zeroIsAValue, boolean checked) {
    public static final SessionModes USUAL = new SessionModes(false, false, false);

    /// Of a change that the backend has made.
    public SessionModes ofChecked() {
        return new SessionModes(foreignKeysUnchecked, zeroIsAValue, true);
    }

    void encode(ByteWriter writer) {
        writer.bool(foreignKeysUnchecked).bool(zeroIsAValue).bool(checked);
    }

    static SessionModes decode(ByteReader reader) {
        return new SessionModes(reader.bool(), reader.bool(), reader.bool());
    }
}
