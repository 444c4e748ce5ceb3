package org.quiredb.node.console;

/// What {@link ConsoleEvents} found.
///
/// @param node whom it is about, empty for the tier
record ConsoleEvent(Happening.Weight weight, String node, String text) {}
