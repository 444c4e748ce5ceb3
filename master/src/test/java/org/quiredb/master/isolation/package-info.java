/// What concurrent update transactions may see of each other: the classic anomalies as scenarios,
/// and random load whose results are compared with those of a serial run in commit order.
@NullMarked
package org.quiredb.master.isolation;

import org.jspecify.annotations.NullMarked;
