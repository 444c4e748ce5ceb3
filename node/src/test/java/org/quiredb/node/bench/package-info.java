/// Benchmarks of a whole tier in one process: measured and printed, never asserted on, and not part
/// of the test run.
@NullMarked
package org.quiredb.node.bench;

import org.jspecify.annotations.NullMarked;
