package org.quiredb.scheduler.session;

/// What a client does.
///
/// @param id of its connection
/// @param statement the one that runs, else the last one, without its constants; empty before the
///   first
/// @param runs whether it does
/// @param millis since when it runs, or since when the client is idle
public record Doing(int id, String user, String statement, boolean runs, long millis) {}
