/// The file of a replica's pages: where cold pages go and come back from, and what a replica that
/// is started again begins with.
///
/// One MVStore in the replica's data folder holds, for each page, one version of it with its commit
/// number and a checksum over both. A write replaces what was there in one piece: after a crash a
/// page is either as it was or as it became. Writes of many pages become durable together, by
/// {@link org.quiredb.replica.file.PageFile#commit}.
///
/// Beside the pages stands the {@link org.quiredb.replica.file.Checkpoint}: of which history the
/// pages are, and up to which commit of each table every page is there. Pages may be newer than
/// that. Those are good enough to read back in the life that wrote them, but the commits that they
/// hold may have been lost with a master, so the next life asks for them anew.
///
/// Invariant: bytes whose checksum is wrong are never given out. An error of the file ends this
/// life of the replica, and what is on it is thrown away.
///
/// Threads: any number read; one at a time writes, which the users see to. H2 is imported here and
/// in `replica.h2` and below only.
@NullMarked
package org.quiredb.replica.file;

import org.jspecify.annotations.NullMarked;
