@NullMarked
package org.quiredb.common.socket;

import org.jspecify.annotations.NullMarked;
