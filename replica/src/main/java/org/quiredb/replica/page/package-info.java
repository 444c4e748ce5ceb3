/// The pages of a replica at every version that some reader may still need, and how a transaction
/// sees them.
///
/// A page is {@link org.quiredb.common.writeset.PageOperations#PAGE_BYTES} bytes. Write sets bring
/// it operations, which wait until a reader asks for a version that contains them; then all of them
/// up to that version are applied at once to one new immutable array. A page that nobody has
/// written reads as zeroes, version 0.
///
/// Invariant: a published version never changes (a bulk load alone writes to what it has published
/// itself). Invariant: a page's versions form one chain, newest first, with ascending commit
/// numbers towards its head.
///
/// What runs in a transaction sees pages through {@link org.quiredb.replica.page.PageAccess} only.
@NullMarked
package org.quiredb.replica.page;

import org.jspecify.annotations.NullMarked;
