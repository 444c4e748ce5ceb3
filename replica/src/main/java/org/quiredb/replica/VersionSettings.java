package org.quiredb.replica;

/// How much a replica keeps for old tags, and for whom.
///
/// @param maximumBytes of old versions and operations; above it the oldest tags lose theirs
/// @param silenceMillis after which a scheduler that says nothing holds nothing
public record VersionSettings(long maximumBytes, long silenceMillis) {
    public static final VersionSettings DEFAULT = new VersionSettings(256L << 20, 10_000);
}
