/// The encoding of Quire's own messages: compact, checked, refused when mangled.
@NullMarked
package org.quiredb.common.wire;

import org.jspecify.annotations.NullMarked;
