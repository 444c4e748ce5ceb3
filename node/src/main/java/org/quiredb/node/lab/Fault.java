package org.quiredb.node.lab;

/// What happens to a victim.
public enum Fault {
    /// It ends without a word to anybody (`kill -9`).
    KILL("killing"),
    /// It stands still and goes on later (SIGSTOP, SIGCONT).
    PAUSE("pausing"),
    /// Its network is taken away from it, both ways and silently, and given back later.
    CUT("cutting off");

    private final String doing;

    Fault(String doing) {
        this.doing = doing;
    }

    String doing() {
        return doing;
    }

    /// Whether it is over by itself, the process being the same.
    boolean passes() {
        return this != KILL;
    }
}
