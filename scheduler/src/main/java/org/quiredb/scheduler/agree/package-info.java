/// How schedulers that work side by side agree on what clients may be shown.
///
/// A commit that one client has been shown, at any scheduler and in whatever way (the OK of its
/// writer, a read that saw it), is seen by every statement that begins later at any other. A
/// scheduler that learns of stable commits therefore *announces* them to every other one first. The
/// others *note* them. When all have, the commits are *agreed*: the announcer may show them, and
/// tells the others so. A scheduler that has noted what it does not know to be agreed takes no tag
/// until it does: it cannot show the commits (a third one may not have noted them), nor may it miss
/// them (the announcer may be showing them already). It waits for the announcer's word for a
/// moment, then announces them itself.
///
/// What travels is state, not events: each message to a peer holds the merge of everything to be
/// noted and of everything agreed, at most one is under way to each, and the next one carries what
/// has come together meanwhile. A message that is lost is sent again as it is by then. A lone
/// scheduler sends nothing and waits for nothing.
///
/// Who must note is {@link org.quiredb.common.topology.Schedulers}, a record in the backend that
/// changes by compare-and-set. Any scheduler takes another out of it whose connection is closed or
/// who is silent, and whoever finds itself taken out enters again in a new life. Before a scheduler
/// goes on without another one, it has every replica of the topology know the new epoch, and a
/// replica answers no read of an older one, and marks every other answer to an older one as
/// outdated. So a scheduler that was taken out, and does not know it, shows nothing any more that
/// is older than what others show. What it shows that is newer came from a master before that
/// master was told, and who takes its place asks the masters afterwards. For the same reason each
/// scheduler has the replicas told itself, when it hears of such a record.
///
/// What cannot be told is a replica that the tier has gone on without; a scheduler that is cut off
/// together with it gets answers from it. Against that each scheduler has a {@link
/// org.quiredb.scheduler.agree.Lease}, and whoever takes another out outlasts that one's, where a
/// replica has left lately. Why the answers of all members of the topology T that a scheduler
/// knows, asked for at t, show that nobody had told all members of the topology in force before t:
/// every change of the topology is made by a member of the one before, and takes its maker with it.
/// Take the first change out of T. Either its maker did not know at t that it was made; then it let
/// nobody in and made no further change: it is a member of the topology in force, or one that did
/// know, being of T too, has made the next. In the first case it has been told, and says so; in the
/// second that other one tells of a newer topology. So t is before the telling, and a lease that
/// began at t ends within its time after the telling; also within its time after a member of T told
/// anybody of the newer topology, whichever comes first.
///
/// One that enters takes tags when every other one has noted that it is there and has told what it
/// knows, every master has told what is stable (all the others may be dead), and all of that is
/// agreed.
///
/// Which tables clients have locked against readers travels the same way: the whole set with each
/// message, and who locks goes on when every other scheduler has noted it. Whoever reads looks at
/// the set once it has its tag, and takes another tag once the tables are free. So a tag that a
/// read goes by is of before the lock was granted, or of after it was given back. What a member
/// that is taken out has locked nobody heeds any more, and it tells its clients so.
///
/// Invariant: what a member has shown, every other member that takes tags has noted, or agreed.
///
/// Invariant: a tag covers what was noted when it was asked for.
///
/// The package has no thread, clock or socket. {@link org.quiredb.scheduler.agree.PeerAgreement} is
/// its entry: it takes events and the time, and says what is to be done and who is to wait. Within
/// it {@link org.quiredb.scheduler.agree.Agreement} knows the others, the lease the clock. By
/// example: PeerAgreementTest, AgreementWalkTest on a model network, then the cluster simulation.
@NullMarked
package org.quiredb.scheduler.agree;

import org.jspecify.annotations.NullMarked;
