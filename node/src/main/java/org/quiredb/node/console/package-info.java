/// The console: a page in a browser that shows the tier as one scheduler sees it, live and
/// read-only.
///
/// Idea: the scheduler knows nearly everything already. Replicas tell themselves in every
/// heartbeat; loggers and other schedulers are asked once a second. {@link
/// org.quiredb.node.console.ConsoleWatch} looks at this, {@link
/// org.quiredb.node.console.ConsoleEvents} says in words what has changed since it looked last,
/// {@link org.quiredb.node.console.Rates} turns counters into rates, {@link
/// org.quiredb.node.console.History} keeps a quarter of an hour of them. {@link
/// org.quiredb.node.console.Pages} answers browsers: the page, `/state` with everything as JSON,
/// which `quire top` reads too, and `/events`, the same each second as server-sent events.
///
/// Each scheduler keeps what it has seen itself. What replicas, loggers and schedulers tell is the
/// same for all of them, and so is the picture of the tier; statements and their times are those of
/// the scheduler that is asked, and the page says so.
///
/// Bounds: 900 samples of at most 256 series (4 bytes each, so 0.9 MB), 200 events, 512 texts of
/// statements ({@link org.quiredb.scheduler.statement}), 16 viewers. At the bounds: further series
/// are not kept, the oldest events go, rare texts go, the next viewer gets 503. A viewer that takes
/// nothing for ten seconds is cut off. JSON is made once a second for all viewers, and only while
/// there are some.
///
/// Who may look ({@link org.quiredb.node.console.Door}): it listens on loopback unless it is
/// configured otherwise, and does not start beyond it without a login. A request must name a host
/// that the console is known by or an IP address, so that no foreign page reaches it by a name of
/// its own that it lets point here (DNS rebinding), and what comes from another origin is refused.
/// The page holds nothing from elsewhere and its policy forbids it; what is shown is text, never
/// markup.
///
/// Threads: one watches; one virtual thread asks the others; a virtual thread for each request.
@NullMarked
package org.quiredb.node.console;

import org.jspecify.annotations.NullMarked;
