package org.quiredb.simulation;

import java.util.function.Consumer;

/// The database under the tier: what is committed outlives everything. One transaction of the log
/// and one of the applier at a time; a connection that is lost during a commit leaves it open
/// whether it took place.
///
/// Threads: one.
final class Backend extends Machine {
    private BackendTables committed = new BackendTables();

    Backend(World world) {
        super(world, "db");
    }

    @Override
    void begin() {}

    @Override
    void forget() {}

    BackendTables committed() {
        return committed;
    }

    /// Runs a transaction on behalf of a process, which hears of its end if both still live.
    ///
    /// @param done told whether it is committed; false is for not known, too
    void transaction(
            Machine from,
            Consumer<BackendTables> work,
            Consumer<BackendTables> onCommit,
            Consumer<Boolean> done) {
        int life = life();
        int owner = from.life();
        if (!up()) {
            from.after(world.between(200, 2_000), () -> done.accept(false));
            return;
        }
        if (paused()) {
            after(1_000, () -> transaction(from, work, onCommit, done)); // when it goes on
            return;
        }
        long disk = world.chance(4) ? world.between(5_000, 60_000) : world.between(150, 1_500);
        world.after(
                disk,
                () -> {
                    boolean mayCommit =
                            life == life() && (owner == from.life() || world.chance(50));
                    if (mayCommit) {
                        BackendTables next = committed.begun();
                        work.accept(next);
                        committed = next;
                        onCommit.accept(committed);
                    }
                    boolean heard = mayCommit && !world.chance(1);
                    if (owner == from.life()) {
                        from.after(world.between(30, 300), () -> done.accept(heard));
                    }
                });
    }
}
