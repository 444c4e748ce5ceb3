@NullMarked
package org.quiredb.sql.text;

import org.jspecify.annotations.NullMarked;
