/// Write sets: what a committed transaction did, as bytes on pages and as queries, and how it is
/// encoded.
@NullMarked
package org.quiredb.common.writeset;

import org.jspecify.annotations.NullMarked;
