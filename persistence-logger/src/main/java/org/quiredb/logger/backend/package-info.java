/// The on-disk databases, as the logger connects to them.
///
/// Every connection is the same: UTC as time zone and utf8mb4, so that a value's text is what the
/// replicas hold; rows found (not rows changed) as the count of an update, so that counts can be
/// compared; the server's own sql_mode; no escape processing and no statement lists but those that
/// a batch is sent as, so that a text is what it says. MySQL 8 and MariaDB 11.4 are told apart
/// where they differ and nowhere else.
///
/// Quire's own tables live in the database `quire` of each backend. The log's (`class_epoch`,
/// `topology`, `schedulers`, `commit_log`, `backend_set`) hold good on the current ones only; how
/// far a backend is, `applied` and `schema_intent`, each notes of itself.
@NullMarked
package org.quiredb.logger.backend;

import org.jspecify.annotations.NullMarked;
