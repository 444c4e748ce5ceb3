@NullMarked
package org.quiredb.common.version;

import org.jspecify.annotations.NullMarked;
