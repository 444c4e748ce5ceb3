/// The replicas' group: JGroups behind one interface.
@NullMarked
package org.quiredb.common.group;

import org.jspecify.annotations.NullMarked;
