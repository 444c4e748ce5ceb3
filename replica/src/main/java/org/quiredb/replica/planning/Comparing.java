package org.quiredb.replica.planning;

/// How two that compare so have to be.
enum Comparing {
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL;

    /// @param compared negative, 0 or positive
    boolean holds(int compared) {
        return switch (this) {
            case EQUAL -> compared == 0;
            case NOT_EQUAL -> compared != 0;
            case LESS -> compared < 0;
            case LESS_OR_EQUAL -> compared <= 0;
            case GREATER -> compared > 0;
            case GREATER_OR_EQUAL -> compared >= 0;
        };
    }

    /// With the sides exchanged.
    Comparing mirrored() {
        return switch (this) {
            case EQUAL, NOT_EQUAL -> this;
            case LESS -> GREATER;
            case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
            case GREATER -> LESS;
            case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
        };
    }
}
