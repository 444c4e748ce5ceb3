package org.quiredb.scheduler.fallback.connection;

/// What the backend is to run for a client.
///
/// @param namesOf the text whose columns' names the result is to have: those of expressions repeat
///   the text
/// @param then a query of one row about what the statement has left in its session, empty for none;
///   the connection then has more than it was told to take on
public record Asked(String sql, String namesOf, boolean binaryRows, int statusFlags, String then) {}
