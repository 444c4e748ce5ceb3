/// SQL values and text, as far as scheduler and replica share them.
@NullMarked
package org.quiredb.common.sql;

import org.jspecify.annotations.NullMarked;
