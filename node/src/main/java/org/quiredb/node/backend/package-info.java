/// The embedded backend: a real MariaDB server, run from the program's own jars in a data folder.
///
/// The server and the process that runs it share their fate. When it dies alone it is started
/// again. When its process dies the system kills it where it can be told to ({@link
/// org.quiredb.node.backend.ParentDeath}); everywhere the next start in the folder ends what it
/// finds there, which nobody else uses: a lock on a file says so, and the system takes it from the
/// dead. Both are power failures to InnoDB, which recovers.
///
/// By example: FateTest.
@NullMarked
package org.quiredb.node.backend;

import org.jspecify.annotations.NullMarked;
