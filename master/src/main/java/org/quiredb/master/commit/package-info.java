/// The commit order of a class, the broadcast of its write sets, and stability.
///
/// {@link org.quiredb.master.commit.CommitSequence} decides what is stable, {@link
/// org.quiredb.master.commit.CommitPath} what leaves for the group and the log, and when, and
/// {@link org.quiredb.master.commit.Mastery} of which classes that is done here, for whom. {@link
/// org.quiredb.master.commit.ClassCommits} is the threaded edge of a class: under the sequence's
/// lock a commit takes its number, writes and publishes its pages and releases its locks. Then its
/// own thread gives it to the log and multicasts it, unless an append is under way: what gathers
/// meanwhile is appended next, by the thread that brings the log's answer, and goes to the group in
/// one message by a thread of the class, since none of it can be stable before that. (Where
/// replicas are enough, it goes to the group at once, one batch at a time.) Nobody is woken for an
/// append that can begin at once; another thread of the class waits for a log that does not answer,
/// and tells it what is stable where no commit follows. The commit's thread waits until the
/// sequence says that it is stable, and is woken for that alone.
///
/// A commit is visible here as soon as its locks are released, so whoever ends a transaction, with
/// or without changes, waits until everything numbered by then is stable, and is told the vector of
/// the stable number; see docs/isolation.md.
///
/// At the bound: at most so many commits of a class are under way; the next one waits before it
/// takes its number. A commit that is not stable within its wait is answered with TIER_UNAVAILABLE
/// and its outcome is open: it is in the commit order and becomes stable when what is missing comes
/// back. Whoever asks for the outcome by transaction id gets it when everything under way is
/// stable, unless the log has forgotten it; a transaction without a commit number never gets one
/// afterwards.
///
/// The epoch grows under a running master when the in-sync set changes; its term does not. Only a
/// topology in the backend removes a member from those that are waited for.
///
/// Lock order: the mastery, then the commit sequence, then the replica's progress, then the lock
/// manager's mutex, then a page.
@NullMarked
package org.quiredb.master.commit;

import org.jspecify.annotations.NullMarked;
