/// The embedded backend: a real MariaDB server, run from the program's own jars in a data folder.
@NullMarked
package org.quiredb.node.backend;

import org.jspecify.annotations.NullMarked;
