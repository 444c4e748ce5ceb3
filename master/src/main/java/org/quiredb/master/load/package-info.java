/// Filling a cold tier: the first master takes every class over at a new epoch and loads the
/// backend's snapshot.
@NullMarked
package org.quiredb.master.load;

import org.jspecify.annotations.NullMarked;
