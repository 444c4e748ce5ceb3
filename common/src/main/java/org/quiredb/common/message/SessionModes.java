package org.quiredb.common.message;

import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// What a client has set that changes the meaning of its updates, as a restored dump does.
///
/// @param foreignKeysUnchecked foreign_key_checks = 0: no foreign key is checked, and none acts
/// @param zeroIsAValue sql_mode has NO_AUTO_VALUE_ON_ZERO
/// @param checksUnchecked check_constraint_checks = 0: rows need not pass the CHECKs
/// @param checked the backend has made the same change, so that its rows pass the CHECKs
public record SessionModes(
        boolean foreignKeysUnchecked,
        boolean zeroIsAValue,
        boolean checksUnchecked,
        boolean checked) {
    public static final SessionModes USUAL = new SessionModes(false, false, false, false);

    /// Of a change that the backend has made.
    public SessionModes ofChecked() {
        return new SessionModes(foreignKeysUnchecked, zeroIsAValue, checksUnchecked, true);
    }

    void encode(ByteWriter writer) {
        writer.bool(foreignKeysUnchecked).bool(zeroIsAValue).bool(checksUnchecked).bool(checked);
    }

    static SessionModes decode(ByteReader reader) {
        return new SessionModes(reader.bool(), reader.bool(), reader.bool(), reader.bool());
    }
}
