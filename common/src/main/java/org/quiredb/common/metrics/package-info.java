/// What a process counts and measures, in Prometheus' text form.
@NullMarked
package org.quiredb.common.metrics;

import org.jspecify.annotations.NullMarked;
