/// The pages of a replica at every version that some reader may still need, and how a transaction
/// sees them.
///
/// A page is {@link org.quiredb.common.writeset.PageOperations#PAGE_BYTES} bytes. Write sets bring
/// it operations, which wait until a reader asks for a version that contains them; then all of them
/// up to that version are applied at once to one new immutable array. A page that nobody has
/// written reads as zeroes, version 0.
///
/// Invariant: a published version never changes. Invariant: a page's versions form one chain,
/// newest first, with ascending commit numbers towards its head.
///
/// What runs in a transaction sees pages through {@link org.quiredb.replica.page.PageAccess} only.
///
/// **Memory.** A store that has a file ({@link org.quiredb.replica.file}) keeps only so many page
/// images in memory as its pool allows. A clock's hand goes round all pages: one that was read
/// since it came by last stays for another round, another one is written to the file, unless it is
/// there already, and its bytes leave memory. Its handle and the version's number stay, about 100
/// bytes; operations that wait for it stay too. Whoever reads it next brings the bytes back into
/// the same version.
///
/// Invariant: only the oldest version of a chain is ever on the file, and its bytes may be missing
/// only while the file holds just that version. A page with a chain of several versions stays in
/// memory until the low watermark has passed all but one: these, and what a bulk load has under
/// way, are what the pool may be exceeded by.
///
/// A reader that finds its page in memory takes no lock and writes nothing that is shared, but the
/// page's mark for the clock when that is not set. One that does not takes a lock that stands for
/// some of the pages, so that readers of one page load it once. No page's own lock is held while
/// the file is read or written. Whoever loads pages also makes room for them.
///
/// **Checkpoints.** A background thread goes round all pages, brings each one forward to the low
/// watermark and writes what the file lacks, while everything else goes on. When it is through, the
/// file holds each page as of the watermark at which the round began, or later, and says so: {@link
/// org.quiredb.replica.file.Checkpoint}. What is at or below the watermark is stable, so no change
/// of master takes it back. The round also keeps the operations few that wait for pages that nobody
/// reads.
///
/// Lock order: the writing lock of the pool, then a page; the lock of a load, then a page.
@NullMarked
package org.quiredb.replica.page;

import org.jspecify.annotations.NullMarked;
