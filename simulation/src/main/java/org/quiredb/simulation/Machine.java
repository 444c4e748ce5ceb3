package org.quiredb.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// A process that can die, begin anew, and stand still. What it put off dies with it; what falls
/// due while it stands still happens when it goes on.
///
/// Threads: one.
abstract class Machine {
    final World world;
    final String name;
    private final List<Runnable> heldUp = new ArrayList<>();
    private final Set<String> cutFrom = new TreeSet<>();
    private int life;
    private boolean up;
    private boolean paused;

    Machine(World world, String name) {
        this.world = world;
        this.name = name;
    }

    abstract void begin();

    /// Everything in memory is gone.
    abstract void forget();

    boolean up() {
        return up;
    }

    boolean paused() {
        return paused;
    }

    int life() {
        return life;
    }

    void start() {
        if (!up) {
            up = true;
            life++;
            note("starts");
            begin();
        }
    }

    void crash() {
        if (up) {
            note("crashes");
            stop();
        }
    }

    /// Ends without a word; nothing of this life happens any more.
    void stop() {
        up = false;
        paused = false;
        life++;
        heldUp.clear();
        forget();
    }

    void pause() {
        paused = up;
    }

    void resume() {
        paused = false;
        List<Runnable> now = List.copyOf(heldUp);
        heldUp.clear();
        long later = 0;
        for (Runnable action : now) {
            later += world.between(0, 60);
            world.after(later, action);
        }
    }

    /// In this life, after a while.
    void after(long micros, Runnable action) {
        int of = life;
        world.after(micros, () -> run(of, action));
    }

    private void run(int of, Runnable action) {
        if (of != life) {
            return;
        }
        if (paused) {
            heldUp.add(() -> run(of, action));
        } else {
            action.run();
        }
    }

    void cut(Machine other) {
        cutFrom.add(other.name);
        other.cutFrom.add(name);
    }

    void reach(Machine other) {
        cutFrom.remove(other.name);
        other.cutFrom.remove(name);
    }

    void heal() {
        cutFrom.clear();
    }

    /// Whether what one sends gets to the other.
    boolean reaches(Machine other) {
        return !cutFrom.contains(other.name);
    }

    void note(String what) {
        world.trace.add(world.nowMicros(), name, what);
    }

    @Override
    public String toString() {
        return name;
    }
}
