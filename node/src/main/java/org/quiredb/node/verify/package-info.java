/// The check that both tiers hold the same data: every replica and every backend, table by table,
/// at one version, online.
///
/// A tag is held so that its page versions stay; each replica digests its tables at the tag, and
/// the persistence logger stops its appliers at exactly the tag's commit numbers for as long as it
/// takes to open snapshots. Where digests differ, the rows' digests are compared to name the keys.
/// Updates go on meanwhile.
@NullMarked
package org.quiredb.node.verify;

import org.jspecify.annotations.NullMarked;
