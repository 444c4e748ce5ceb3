/// Which replica runs a statement, and at which tag.
///
/// Reads go to slaves, tagged with the current version vector: first to a replica that runs the
/// same versions of the tables already, else to the one with the fewest calls under way. Updates go
/// to the master. What follows where a replica does not answer is decided here too, by {@link
/// ReadAttempts}. Everything is pure but {@link Tags}, which remembers the tags in use.
///
/// Source: Dynamic Multiversioning, section 3.1. By example: RouterTest, ReadAttemptsTest,
/// TagsTest.
@NullMarked
package org.quiredb.scheduler.route;

import org.jspecify.annotations.NullMarked;
