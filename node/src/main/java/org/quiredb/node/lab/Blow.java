package org.quiredb.node.lab;

/// What happens to a victim.
public enum Blow {
    /// It ends without a word to anybody (`kill -9`).
    KILL,
    /// It stands still and goes on later (SIGSTOP, SIGCONT).
    PAUSE
}
