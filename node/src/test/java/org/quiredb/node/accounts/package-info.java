/// Accounts and their rights, on a tier over TLS and on a MariaDB over TLS: the same answers.
@NullMarked
package org.quiredb.node.accounts;

import org.jspecify.annotations.NullMarked;
