@NullMarked
package org.quiredb.common.rpc;

import org.jspecify.annotations.NullMarked;
