package org.quiredb.common.writeset;

/// A commutative change of a table's counters, which live outside locked pages so that inserts need
/// not collide on them.
///
/// @param rowCountDelta rows inserted less rows deleted
/// @param nextAutoIncrement the least value that AUTO_INCREMENT may give next, merged by maximum; 0
///   leaves it as it is
public record CounterChange(int tableId, long rowCountDelta, long nextAutoIncrement) {}
