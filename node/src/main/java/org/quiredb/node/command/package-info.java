/// The subcommands of `quire`, one class each. An error is one line on standard error and a
/// non-zero exit; what a command shows while it works goes through {@link
/// org.quiredb.node.terminal}.
@NullMarked
package org.quiredb.node.command;

import org.jspecify.annotations.NullMarked;
