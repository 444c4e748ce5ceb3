@NullMarked
package org.quiredb.common.group;

import org.jspecify.annotations.NullMarked;
