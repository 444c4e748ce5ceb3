package org.quiredb.node.console;

/// What {@link Changes} found.
///
/// @param node whom it is about, empty for the tier
record Change(Happening.Weight weight, String node, String text) {}
