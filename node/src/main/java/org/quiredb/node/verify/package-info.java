/// The check that both tiers hold the same data: every replica and every backend, table by table,
/// at one version, online.
///
/// Under updates no version can be named in advance at which the backend will still be when the
/// question arrives. So the backends choose it: a tag is pinned at the scheduler, which keeps its
/// versions and all later ones; the persistence logger opens snapshots of its backends somewhere
/// after that tag and tells which commit of each class they show; the replicas digest their tables
/// at those commits. Where digests differ, the rows' digests are compared, in the same snapshots,
/// to name the keys.
@NullMarked
package org.quiredb.node.verify;

import org.jspecify.annotations.NullMarked;
