/// What the tier is worth, measured against InnoDB alone on the same machine.
///
/// {@link org.quiredb.node.measure.ScalingLab} compares throughput where every server has the same
/// share of a processor, as the paper does in its figure 3. {@link
/// org.quiredb.node.measure.QueriesLab} compares single statements where there are no shares. Both
/// measure the two systems in turns, so that what else the machine does falls on both, and give
/// medians with their spread.
///
/// Processor times are the system's (`/proc`), not what the tier says of itself.
@NullMarked
package org.quiredb.node.measure;

import org.jspecify.annotations.NullMarked;
