/// The log on several backends, of which some may be away.
///
/// Every backend that is *current* holds the whole log. A log transaction runs on all of them at
/// once, each deciding for itself under its own row locks; when all decided alike all commit, and
/// only then is the work answered. So latency is that of the slowest disk, not the sum, and a
/// backend that does not follow is noticed by the next commit. Which backends are current is a
/// {@link Membership}, kept in `quire.backend_set` of each of them beside the {@link Version} of
/// the log there; every log transaction checks the one and counts the other in one statement.
///
/// A membership has a generation and an owner, the logger that made it. It is *in force* when all
/// its members hold it. There are three ways to the next one:
///
/// - **take**: another logger becomes the owner of the same members, which must all be reached, and
///   reads their versions in the same transaction. It goes on with the newest of them only;
/// - **exclude**: the owner goes on without those that it does not reach, in the same transaction
///   as its next work, on all that stay. What it has once tried to exclude it never builds on;
/// - **admit**: the owner lets in a backend that {@link CatchUp} has brought up to date. The old
///   members commit first, the new one last: one that was not let in is never gone on with.
///
/// Invariant: memberships in force form one line, and each logs by its own owner only. Proof: to
/// take needs a commit on every member, to exclude or admit one on every member that stays, and
/// each commit finds, under a row lock, the membership that it replaces. Two that replace the same
/// one share a member, where the second fails. The former owner fails there too.
///
/// Invariant: of the members that a survey demands, one with the highest version holds everything
/// acknowledged. Proof: what was acknowledged under a membership in force is on all its members,
/// with that generation in their versions; a version with a generation is written by its owner
/// only, when it is in force, and each builds on everything before. At most one transaction per
/// member is unanswered, the last: its owner looks before it goes on. Where it is on some members
/// only, it may stay or go, and stays: those without it are excluded and catch up. The copy cuts
/// off what an excluded backend has logged beyond the last record that both have.
///
/// Invariant: a survey that is satisfied has reached every member of the newest membership in
/// force. Proof: a record that any of them holds is that one, or was made from it: by a take it has
/// the same members; by an exclusion it leaves out only what its owner never goes on with; by an
/// admission it has more. So whoever sees one of them asks for all that could have gone on, and an
/// older record is told by a version that is newer than it. With two backends: the one that was
/// left alone names itself only; the one that was left behind names both, and waits for the other.
///
/// The decisions are {@link Discovery} and {@link MembershipDecision}, which know no database. One
/// backend configured is the writer's own and comes here once, at the start, to say so. By example:
/// SurveyTest, BackendSetWalkTest, then TwoBackendsTest.
@NullMarked
package org.quiredb.logger.set;

import org.jspecify.annotations.NullMarked;
