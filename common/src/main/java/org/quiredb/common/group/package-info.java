/// The replicas' group: JGroups behind one interface.
///
/// Write sets travel as multicasts, one stream per sender, in order and without loss between
/// members of a view. A member whose sockets close leaves the view at once, one that stops talking
/// soon after ({@link org.quiredb.common.group.SilenceDetection}); one that was only slow comes
/// back by merging, under the same name, and may have missed messages. A member's credit runs out
/// and blocks senders until it takes in more or leaves, so listeners never block. By example:
/// JGroupsGroupTest.
///
/// Where the cluster has a secret, members are connected by {@link
/// org.quiredb.common.group.SealedSocket}s only, and a message is from whom it says as far as
/// holders of the secret are honest: nobody else can be in a view, or send, change, repeat or read
/// anything. By example: SealedGroupTest.
@NullMarked
package org.quiredb.common.group;

import org.jspecify.annotations.NullMarked;
