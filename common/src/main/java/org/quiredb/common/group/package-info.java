/// The replicas' group: JGroups behind one interface.
///
/// Write sets travel as multicasts, one stream per sender, in order and without loss between
/// members of a view. A member that stops talking for a second, or whose process ends, leaves the
/// view; one that was only slow comes back by merging, under the same name. A slow member's credit
/// runs out and blocks senders until it takes in more or leaves. By example: JGroupsGroupTest.
@NullMarked
package org.quiredb.common.group;

import org.jspecify.annotations.NullMarked;
