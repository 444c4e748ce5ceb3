package org.quiredb.node.verify;

import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// Makes the exception for tiers that cannot be compared, now or at all.
final class Incomparable {
    private Incomparable() {}

    static QuireException because(String reason) {
        return new QuireException(
                ErrorCode.TIER_UNAVAILABLE, "The tiers could not be compared: " + reason);
    }
}
