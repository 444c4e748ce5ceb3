package org.quiredb.common.writeset;

/// What the log holds of one place in a class's order: what a transaction did to rows, or the text
/// of a schema change.
public sealed interface Logged permits Effects, LoggedStatement {}
