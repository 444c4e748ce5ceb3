package org.quiredb.master.commit;

import java.util.function.Consumer;
import java.util.function.Function;

/// A class's commits that nobody carries out.
public final class BarePath implements OwnCommits {
    public final CommitPath path;
    public String broken = "";

    public BarePath(CommitPath path) {
        this.path = path;
    }

    @Override
    public <T> T ask(Function<CommitPath, T> question) {
        return question.apply(path);
    }

    @Override
    public void change(Consumer<CommitPath> change) {
        change.accept(path);
    }

    @Override
    public String brokenBecause() {
        return broken;
    }

    @Override
    public void close() {
        broken = "closed";
    }
}
