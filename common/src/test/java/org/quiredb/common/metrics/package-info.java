@NullMarked
package org.quiredb.common.metrics;

import org.jspecify.annotations.NullMarked;
