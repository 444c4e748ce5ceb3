package org.quiredb.node.config;

/// @param port of the HTTP endpoint `/metrics`
public record MetricsSection(@Default("9309") int port) {
    public MetricsSection {
        SectionChecks.port("metrics.port", port);
    }
}
