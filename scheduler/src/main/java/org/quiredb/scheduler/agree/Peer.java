package org.quiredb.scheduler.agree;

import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.SchedulerRequest.Announce;
import org.quiredb.common.message.TableLocks;
import org.quiredb.common.topology.SchedulerMember;
import org.quiredb.common.version.VersionVector;

/// Another scheduler in its present life, and what it is known to hold.
///
/// Threads: owned by its agreement's.
final class Peer {
    final SchedulerMember member;
    VersionVector noted = VersionVector.EMPTY;
    VersionVector shown = VersionVector.EMPTY;
    long epoch;

    /// What it has told of its clients', and the version of this scheduler's that it has noted.
    TableLocks locks = TableLocks.NONE;

    long locksNoted;

    /// Whether it has told this scheduler, which enters, what it knows.
    boolean told;

    boolean lost;
    long heardMillis;
    long sentMillis;
    @Nullable Announce underWay;

    Peer(SchedulerMember member, long nowMillis) {
        this.member = member;
        this.heardMillis = nowMillis;
    }

    /// It was this scheduler that was silent.
    void stoodStill(long millis) {
        heardMillis += millis;
        sentMillis += millis;
    }

    boolean lacks(Announce next) {
        return !noted.covers(next.announced())
                || !shown.covers(next.shown())
                || epoch < next.record().epoch()
                || locksNoted < next.locks().version()
                || (next.entering() && !told);
    }

    /// It has answered what was under way.
    void took(Announce sent, long nowMillis) {
        noted = noted.merge(sent.announced());
        shown = shown.merge(sent.shown());
        epoch = sent.record().epoch();
        locksNoted = Math.max(locksNoted, sent.locks().version());
        told |= sent.entering();
        heardMillis = nowMillis;
        underWay = null;
    }
}
