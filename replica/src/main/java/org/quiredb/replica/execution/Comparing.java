package org.quiredb.replica.execution;

/// How two that compare so have to be.
public enum Comparing {
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL;

    /// @param compared negative, 0 or positive
    public boolean holds(int compared) {
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
    public Comparing mirrored() {
        return switch (this) {
            case EQUAL, NOT_EQUAL -> this;
            case LESS -> GREATER;
            case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
            case GREATER -> LESS;
            case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
        };
    }
}
