/// What a process's roles tell of themselves, as Prometheus metrics.
///
/// The roles' {@link org.quiredb.common.message.NodeStatus}es are asked at each scrape: what `quire
/// status` shows and what is scraped cannot disagree. docs/metrics.md lists every metric.
@NullMarked
package org.quiredb.node.metrics;

import org.jspecify.annotations.NullMarked;
