/// Versions: commit numbers, version vectors and tags, conflict classes, page ids. Source: Dynamic
/// Multiversioning, section 2.
@NullMarked
package org.quiredb.common.version;

import org.jspecify.annotations.NullMarked;
