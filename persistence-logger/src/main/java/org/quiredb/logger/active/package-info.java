/// Which of several loggers is the active one.
///
/// Active is who holds a named lock in the backend, on a connection of its own: the server frees it
/// the moment that the connection ends, so a killed process frees it at once. Its holder notes its
/// address and takes the next term. Those who stand by wait for the lock; they also ping the active
/// one, and where it is silent for too long they end the lock's connection in the server.
///
/// A logger that was stopped and goes on may believe for a moment that it is still active. That
/// does no harm:
///
/// - Invariant: whoever writes the log finds its own term in force, in the same database
///   transaction. A logger therefore knows of every record that was cut off since its term began,
///   and never takes one that was for one that is stable.
/// - Invariant: what a logger learns to be stable it learns before it finds its term in force.
/// - Appends are decided by the epoch and the end of the log, under their row locks; two loggers
///   that are given the same records store them once.
/// - Appliers move the backend's mark in the transaction that applies; of two, one finds it moved.
@NullMarked
package org.quiredb.logger.active;

import org.jspecify.annotations.NullMarked;
