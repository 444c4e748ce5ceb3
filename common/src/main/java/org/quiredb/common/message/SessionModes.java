package org.quiredb.common.message;

import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// What a client has set that changes the meaning of its updates, as a restored dump does.
///
/// @param foreignKeysUnchecked foreign_key_checks = 0: no foreign key is checked, and none acts
/// @param zeroIsAValue sql_mode has NO_AUTO_VALUE_ON_ZERO
/// @param checksUnchecked check_constraint_checks = 0: rows need not pass the CHECKs
/// @param noZeroDates sql_mode has NO_ZERO_DATE or NO_ZERO_IN_DATE
/// @param checked the backend has made the same change, so that its rows pass the CHECKs, and its
///   values are what columns take in these modes
public record SessionModes(
        boolean foreignKeysUnchecked,
        boolean zeroIsAValue,
        boolean checksUnchecked,
        boolean noZeroDates,
        boolean checked) {
    public static final SessionModes USUAL = new SessionModes(false, false, false, false, false);

    /// Of a change that the backend has made, in which a zero is one, as ids are given already.
    public SessionModes ofChecked() {
        return new SessionModes(foreignKeysUnchecked, true, checksUnchecked, noZeroDates, true);
    }

    public SessionModes withoutForeignKeys() {
        return new SessionModes(true, zeroIsAValue, checksUnchecked, noZeroDates, checked);
    }

    void encode(ByteWriter writer) {
        writer.bool(foreignKeysUnchecked)
                .bool(zeroIsAValue)
                .bool(checksUnchecked)
                .bool(noZeroDates)
                .bool(checked);
    }

    static SessionModes decode(ByteReader reader) {
        return new SessionModes(
                reader.bool(), reader.bool(), reader.bool(), reader.bool(), reader.bool());
    }
}
