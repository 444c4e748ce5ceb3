/// SQL values, as far as modules share them. Text is read in module sql alone.
@NullMarked
package org.quiredb.common.sql;

import org.jspecify.annotations.NullMarked;
