@NullMarked
package org.quiredb.common.mysql;

import org.jspecify.annotations.NullMarked;
