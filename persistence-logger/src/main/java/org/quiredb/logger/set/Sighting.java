package org.quiredb.logger.set;

/// What a backend that was reached holds; {@link Membership#NONE} when it never was in a set.
record Sighting(Membership membership, Version version) {
    static final Sighting EMPTY = new Sighting(Membership.NONE, Version.NONE);
}
