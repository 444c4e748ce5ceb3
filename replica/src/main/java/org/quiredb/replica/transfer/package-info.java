/// How a replica gets its data: by transfer from one that serves, or, the first one, from the
/// persistence logger.
///
/// Joining, as {@link org.quiredb.replica.transfer.Joining} decides, which has no thread, clock or
/// connection, and {@link org.quiredb.replica.transfer.Joiner} asks for it, in this order: be in
/// the group and keep what comes; ask every master for its positions until its view of the group
/// contains the joiner, from which moment every later write set comes by the stream; fetch
/// catalogue and counters from a *support*, a replica that is at least as far; let the streams in
/// behind those, and fetch the pages meanwhile: operations wait for the pages that they belong to,
/// and nothing is read or applied before all pages are there; then ask every master to wait for it,
/// in one epoch, which each has done once everything that the joiner did not receive itself is
/// stable; the leader, asked last, makes it a member of the topology. What it has received of a
/// master that is lost meanwhile may be more than anybody kept: then it begins anew, as it does at
/// once when its own stream breaks, for masters would wait in vain for what it acknowledges.
///
/// A joiner that has pages on its disk says of which history they are and from which commit of each
/// table on they may lack changes, and names those that it does not trust. Where the support's
/// pages are of that history it sends only what is newer, and the named ones; else it sends all,
/// and the joiner throws its own away.
///
/// A support that is lost is followed by another one, which sends what is missing still: pages come
/// by ascending id, and each is as new as the positions at which the stream was let in. What
/// transfers take from a support and its joiners is bounded ({@link
/// org.quiredb.replica.transfer.TransferSource}); how much may wait meanwhile too.
///
/// A page comes at its newest version, so it may be ahead of the positions: operations that it
/// contains already are skipped by its version when the stream brings them. Counters carry no such
/// version in the store and come with the commit number that they contain.
@NullMarked
package org.quiredb.replica.transfer;

import org.jspecify.annotations.NullMarked;
