package org.quiredb.replica.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.quiredb.replica.execution.HashLookup.KeyTable;
import org.quiredb.replica.tree.BTree;

class HashLookupTest {
    private final SplittableRandom random = new SplittableRandom(7);

    /// Of any length, none too, and many that begin alike.
    private String key() {
        return "x".repeat(random.nextInt(3)) + (random.nextInt(4) == 0 ? "" : random.nextInt(9000));
    }

    @Test
    void aTableOfKeysFindsWhatWasPutAndNothingElse() {
        KeyTable table = new KeyTable();
        Map<String, Long> expected = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            String key = key();
            byte[] bytes = (key + "beyond").getBytes(StandardCharsets.UTF_8);
            assertThat(table.find(bytes, key.length()))
                    .as(key)
                    .isEqualTo(expected.getOrDefault(key, BTree.NOT_FOUND));
            if (i % 2 == 0 && !expected.containsKey(key)) {
                table.put(bytes, key.length(), i);
                expected.put(key, (long) i);
            }
            assertThat(table.size()).isEqualTo(expected.size());
        }
        expected.forEach((key, locator) ->
                assertThat(table.find(key.getBytes(StandardCharsets.UTF_8), key.length()))
                        .as(key)
                        .isEqualTo(locator));
    }
}
