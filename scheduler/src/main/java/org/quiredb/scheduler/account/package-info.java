/// Who may log in, and what whoever has logged in may do.
///
/// An account is one of the configuration, whose password is known and which has every right on the
/// clients' databases, or one of the backend, read from the tables in which the backend keeps them.
/// They are matched as the server does: by name, and by the most specific host that fits.
///
/// Invariant: what these classes allow, the backend allows, too, to the same account. What they do
/// not know of (a column's privilege, a role that is not the default, a view's definer) they do not
/// allow; a read is then the backend's to answer, with the account's own rights.
///
/// Pure. By example: RightsTest, ProofsTest, FailedLoginsTest.
@NullMarked
package org.quiredb.scheduler.account;

import org.jspecify.annotations.NullMarked;
