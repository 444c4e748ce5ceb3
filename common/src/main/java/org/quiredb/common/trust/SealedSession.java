package org.quiredb.common.trust;

/// Both directions of a connection whose sides have proved the secret to each other.
///
/// @param outgoing closes what this side sends
/// @param incoming opens what it receives
public record SealedSession(Seal outgoing, Seal incoming) {}
