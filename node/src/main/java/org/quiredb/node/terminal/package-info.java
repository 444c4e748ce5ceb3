/// What a command shows the person who runs it.
///
/// A {@link org.quiredb.node.terminal.Screen} has two parts: sentences that stay, and below them
/// one {@link org.quiredb.node.terminal.View} of now. On a terminal the view is drawn in place,
/// over the one before it; where there is none (a pipe, a file, `TERM=dumb`, or `--verbose`, whose
/// log lines would tear a picture) the view's one line is written every five seconds instead.
///
/// Three kinds of text come out of a command, and do not mix: figures and events for people come
/// here; a command whose roles run in its own process sends their log to DATA/quire.log ({@link
/// org.quiredb.node.terminal.Logs}); what a command prints as JSON is the command's own. `quire
/// node`, which only serves, logs to standard error, as its service manager or container expects.
///
/// Invariant: no line that is written where there is no terminal is wider than 100 characters or
/// has an escape sequence; a terminal gets no line over 80 that stays, and cuts what is wider in a
/// view.
///
/// Threads: a screen may be used by any; what is shown is made by who shows it. By example:
/// ScreenTest, then DemoOutputTest.
@NullMarked
package org.quiredb.node.terminal;

import org.jspecify.annotations.NullMarked;
