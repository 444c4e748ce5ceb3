@NullMarked
package org.quiredb.common.sql;

import org.jspecify.annotations.NullMarked;
