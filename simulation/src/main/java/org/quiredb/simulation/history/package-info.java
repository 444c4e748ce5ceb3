/// Whether what clients saw could have happened one transaction after the other, in the order of
/// time: a checker of recorded histories.
///
/// A history holds transactions over lists, registers and groups ([Transaction]). [Outcomes]
/// decides which of them took effect; [Lists], [Registers] and [Groups] find the order of the
/// versions of each key and with it the edges of a [Graph]; [Cycles] names what is wrong with it.
///
/// Invariant: an anomaly that is found is one, whatever happened where the history says nothing.
@NullMarked
package org.quiredb.simulation.history;

import org.jspecify.annotations.NullMarked;
