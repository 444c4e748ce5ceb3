/// What several subcommands of `quire` take alike: where a tier or a server is, where a log or an
/// experiment is to lie.
@NullMarked
package org.quiredb.node.command.option;

import org.jspecify.annotations.NullMarked;
