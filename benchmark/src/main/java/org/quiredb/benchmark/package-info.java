/// What the engine's operations cost, each alone: JMH benchmarks over the real page store, trees
/// and SQL engine, without network, and of calls over loopback.
///
/// Each prints time and bytes allocated per operation; goals are in docs/benchmarks.md. Figures of
/// different runs are not comparable on a shared machine: compare within one run, or by ratio.
@NullMarked
package org.quiredb.benchmark;

import org.jspecify.annotations.NullMarked;
