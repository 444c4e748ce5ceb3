/// The ten tables of the bookstore and the fixed lists that the specification gives: countries,
/// subjects and the enumerations.
///
/// Eight tables are TPC-W's; two hold the shopping carts, in the narrow form that the replication
/// papers ran. Money is DECIMAL, moments are DATETIME, new keys come from AUTO_INCREMENT. The
/// statements are the common ground of MySQL 8 and MariaDB 11: nothing is said that only one of
/// them understands.
@NullMarked
package org.quiredb.tpcw.schema;

import org.jspecify.annotations.NullMarked;
