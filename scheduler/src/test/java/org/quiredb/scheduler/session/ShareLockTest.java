package org.quiredb.scheduler.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// The words for shared locks, which MySQL has two of and replicas none.
final class ShareLockTest {
    @Test
    void theOldWordsBecomeTheNewOnes() {
        assertThat(sql("SELECT a FROM t lock  in SHARE\nmode ;"))
                .isEqualTo("SELECT a FROM t FOR SHARE");
        assertThat(sql("SELECT 'LOCK IN SHARE MODE'")).isEqualTo("SELECT 'LOCK IN SHARE MODE'");
    }

    @Test
    void replicasGetNeither() {
        assertThat(ReplicaText.withoutShareLock("SELECT a FROM t FOR SHARE"))
                .isEqualTo("SELECT a FROM t ");
        assertThat(ReplicaText.withoutShareLock("SELECT a FROM t FOR UPDATE"))
                .isEqualTo("SELECT a FROM t FOR UPDATE");
    }

    private static String sql(String text) {
        return ClientStatement.of(text, List.of(), false, false).sql();
    }
}
