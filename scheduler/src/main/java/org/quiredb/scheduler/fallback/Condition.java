package org.quiredb.scheduler.fallback;

/// One line of SHOW WARNINGS.
///
/// @param level Note, Warning or Error
public record Condition(String level, int number, String message) {
    public static final String ERROR = "Error";

    public boolean isError() {
        return level.equals(ERROR);
    }
}
