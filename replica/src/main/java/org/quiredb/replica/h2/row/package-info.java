/// Rows without SQL: whole tables that are loaded and digested, rows by the keys that the log names
/// them by, and what a transaction's buffer does to rows, in the form of the log.
///
/// Invariant: a value has one form here, whoever asks: what is digested, logged and found by its
/// key on one replica is the same on every other, and on the backend.
///
/// Threads: a transaction's or a load's own.
@NullMarked
package org.quiredb.replica.h2.row;

import org.jspecify.annotations.NullMarked;
