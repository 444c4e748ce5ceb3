package org.quiredb.scheduler.fallback;

import java.util.List;

/// What a backend connection must take on to answer for a client.
///
/// @param database empty for none
/// @param assignments SET statements, in order
public record BackendSession(String database, List<String> assignments) {}
