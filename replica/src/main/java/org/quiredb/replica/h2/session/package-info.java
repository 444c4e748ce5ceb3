/// Databases of H2 and their sessions, and the statements that a session has prepared.
///
/// What H2 prepared is looked at here: whether it compares in one collation, whether its rows can
/// go from pages into packets, whether it reads one row at most, and how its columns are described.
/// What of this H2 does not tell is read from its fields: the version is pinned, and another one
/// fails at start-up.
///
/// Invariant: sessions that run clients' statements may read and change rows of our tables, nothing
/// else. Invariant: a prepared statement belongs to a session and to a state of the catalogue.
///
/// Threads: a session is used by one statement at a time. By example: SessionsTest,
/// DirectQueryTest.
@NullMarked
package org.quiredb.replica.h2.session;

import org.jspecify.annotations.NullMarked;
