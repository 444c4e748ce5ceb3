package org.quiredb.common.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class MetricsServerTest {
    @Test
    void metersAreShownInPrometheusForm() throws Exception {
        try (MetricsServer metrics =
                        new MetricsServer(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                HttpClient client = HttpClient.newHttpClient()) {
            metrics.registry().counter("quire.reads", "replica", "r1").increment(3);
            assertThat(get(client, metrics, "/metrics").body())
                    .contains("quire_reads_total{replica=\"r1\"} 3.0");
            assertThat(get(client, metrics, "/other").statusCode()).isEqualTo(404);
        }
    }

    private static HttpResponse<String> get(HttpClient client, MetricsServer metrics, String path)
            throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + metrics.port() + path);
        return client.send(
                HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
}
