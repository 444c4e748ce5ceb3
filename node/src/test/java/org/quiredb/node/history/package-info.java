/// Whether what clients saw could have happened one transaction after the other, in the order of
/// time: a checker of recorded histories, and histories recorded from a running tier.
@NullMarked
package org.quiredb.node.history;

import org.jspecify.annotations.NullMarked;
