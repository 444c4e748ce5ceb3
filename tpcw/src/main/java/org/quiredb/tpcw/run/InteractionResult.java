package org.quiredb.tpcw.run;

import org.quiredb.tpcw.interaction.InteractionType;

/// How one type of interaction fared.
///
/// @param sharePercent its share of all interactions, and what the mix asks for
/// @param wirtP90Millis response time that 90 % did not exceed
/// @param wirtLimitMillis what the specification allows it to be
public record InteractionResult(
        InteractionType type,
        long count,
        double sharePercent,
        double targetSharePercent,
        double wirtP50Millis,
        double wirtP90Millis,
        double wirtP99Millis,
        double wirtMaxMillis,
        double wirtLimitMillis) {

    public boolean withinLimit() {
        return wirtP90Millis <= wirtLimitMillis;
    }

    double deviationPercent() {
        return Math.abs(sharePercent - targetSharePercent);
    }
}
