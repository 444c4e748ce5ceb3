/// Messages between roles survive their encoding and are refused when mangled.
@NullMarked
package org.quiredb.common.message;

import org.jspecify.annotations.NullMarked;
