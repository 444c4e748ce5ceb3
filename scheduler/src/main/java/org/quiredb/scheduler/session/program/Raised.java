package org.quiredb.scheduler.session.program;

import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.Condition;
import org.quiredb.scheduler.cluster.StatementFailed;

/// A condition that a statement of a program has raised.
///
/// @param failure what a client is told of an error that nobody handles; null of a warning
record Raised(Condition condition, String sqlState, @Nullable RuntimeException failure) {
    /// Of what ends a statement from outside, and is for nobody in a program to handle.
    private static final Set<Integer> FROM_OUTSIDE = Set.of(1053, 1317, 1927, 1969, 3024);

    private static final int NO_DATA = 1329;

    /// Null for what no program may handle.
    static @Nullable Raised of(RuntimeException failure) {
        return switch (failure) {
            case StatementFailed e when !FROM_OUTSIDE.contains(e.number()) ->
                    new Raised(error(e.number(), e), e.sqlState(), e);
            case QuireException e when !FROM_OUTSIDE.contains(e.code().number()) ->
                    new Raised(error(e.code().number(), e), e.code().sqlState(), e);
            default -> null;
        };
    }

    private static Condition error(int number, RuntimeException e) {
        return new Condition(Condition.ERROR, number, String.valueOf(e.getMessage()));
    }

    static Raised of(Condition warning) {
        return new Raised(warning, warning.number() == NO_DATA ? "02000" : state(warning), null);
    }

    /// That of the error of its number, as on a server.
    private static String state(Condition warning) {
        return Arrays.stream(ErrorCode.values())
                .filter(code -> code.number() == warning.number())
                .map(ErrorCode::sqlState)
                .findFirst()
                .orElse("01000");
    }

    int number() {
        return condition.number();
    }

    boolean isError() {
        return condition.isError();
    }

    boolean isWarning() {
        return condition.level().equals(Condition.WARNING);
    }

    /// A statement that the tier has refused, or of which it does not know what came of it, and
    /// that a server would have carried out.
    boolean isOfTheTier() {
        return isError()
                && (number() == ErrorCode.NOT_SUPPORTED_YET.number()
                        || number() == ErrorCode.TIER_UNAVAILABLE.number());
    }
}
