/// A replica's answers to schedulers, to other replicas and to the command line.
///
/// Reads wait until what their tag names has been received, then run at the tag; what only a master
/// can answer goes to its {@link org.quiredb.replica.service.UpdateService}. Every request runs on
/// a virtual thread of its own.
///
/// Each scheduler tells with its requests the lowest tag that it may still use. Versions below the
/// least of these watermarks are reclaimed; a reader that still comes with an older tag is told to
/// take a fresh one, before anything of its result has gone out.
@NullMarked
package org.quiredb.replica.service;

import org.jspecify.annotations.NullMarked;
