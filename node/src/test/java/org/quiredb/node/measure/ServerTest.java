package org.quiredb.node.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class ServerTest {
    @Test
    void statementsArePreparedAtTheServer() {
        assertThat(server("jdbc:mysql://a:1,b:2/tpcw?x=y").url(Probe.Kind.BOOKSTORE))
                .isEqualTo(
                        "jdbc:mysql://a:1,b:2/tpcw?x=y&useServerPrepStmts=true&cachePrepStmts=true");
        assertThat(server("jdbc:mysql://a:1/tpcw").url(Probe.Kind.TABLE_WRITE))
                .isEqualTo("jdbc:mysql://a:1/lab?useServerPrepStmts=true&cachePrepStmts=true");
    }

    @Test
    void anotherDriversUrlIsRefused() {
        assertThatThrownBy(() -> server("jdbc:mariadb://a/tpcw"))
                .hasMessage("jdbc:mariadb://a/tpcw is no URL as jdbc:mysql://host:port/tpcw");
    }

    private static MeasuredServer server(String url) {
        return new MeasuredServer(url, "lab", "u", "p");
    }
}
