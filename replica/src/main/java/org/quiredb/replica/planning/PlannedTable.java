package org.quiredb.replica.planning;

import org.quiredb.replica.layout.TableLayout;

/// A table in the place in which H2's planner has it read.
///
/// @param called what the statement calls it, in lower case
/// @param place of the index that is searched, -1 for every row
public record PlannedTable(String called, TableLayout table, int place) {}
