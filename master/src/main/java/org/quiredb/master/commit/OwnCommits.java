package org.quiredb.master.commit;

import java.util.function.Consumer;
import java.util.function.Function;

/// Commits of one class that a replica is master of: who carries out what its {@link CommitPath}
/// says, and lets one at a time ask it.
public interface OwnCommits {
    <T> T ask(Function<CommitPath, T> question);

    /// After a change something may be stable that was not.
    void change(Consumer<CommitPath> change);

    /// Why no commit becomes stable here any more; empty while they do.
    String brokenBecause();

    /// The class is another's: no commit is acknowledged here any more.
    void close();
}
