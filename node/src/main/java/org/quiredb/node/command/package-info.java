/// The subcommands of `quire`, one class each. An error is one line on standard error and a
/// non-zero exit.
@NullMarked
package org.quiredb.node.command;

import org.jspecify.annotations.NullMarked;
