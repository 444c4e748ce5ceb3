/// A measured run of emulated browsers against a MySQL URL.
///
/// Browsers start one after another during the ramp-up and are measured for a number of seconds
/// afterwards. An interaction counts when its answer comes within the measured time. The result
/// says what the specification's metrics say: web interactions per second (WIPS), their response
/// times (WIRT) against the limits, and how far the mix is from the one asked for. There is no web
/// server and there are no pictures here: a response time is the time that the database tier takes.
@NullMarked
package org.quiredb.tpcw.run;

import org.jspecify.annotations.NullMarked;
