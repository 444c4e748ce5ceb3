package org.quiredb.master.commit;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.WriteSet;

/// The classes that a replica is master of, as what decides about them sees them.
public interface MasteredClasses {
    boolean holds(ConflictClass conflictClass);

    /// The term of which updates of a class are taken here; empty when they are another's.
    OptionalLong served(ConflictClass conflictClass);

    /// Replicas that every commit waits for.
    Set<String> inSync();

    /// To which step each class has been multicast ({@link CommitSequence#step}).
    Map<ConflictClass, Long> multicast();

    /// In-sync replicas that have not received so much.
    Set<String> behind(Map<ConflictClass, Long> steps);

    /// Whether the log has everything of a class held here that may have been acknowledged.
    boolean isAllLogged(ConflictClass conflictClass);

    /// A class goes on where a master was lost. What there is is stable when the log and every
    /// survivor have it.
    ///
    /// @param last the last commit that is held here
    /// @param logEnd the last commit in the log
    /// @param unlogged what comes after it
    void takeOver(ConflictClass conflictClass, long last, long logEnd, List<WriteSet> unlogged);

    /// A class goes on here after its last commit, which is stable.
    void receive(ConflictClass conflictClass, long last);

    /// Tables that were taken over, at the state after these commits.
    void loaded(VersionVector vector);

    /// From now on updates of a class that is held are taken; of the one of no name, of classes yet
    /// to come.
    void serve(ConflictClass conflictClass);
}
