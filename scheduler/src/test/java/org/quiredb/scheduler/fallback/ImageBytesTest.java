package org.quiredb.scheduler.fallback;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/// A change with rows that a scheduler has no room for is refused, and told what to do.
final class ImageBytesTest {
    @Test
    void rowsOfMoreThanItsPartOfTheHeapAreRefused() throws Exception {
        ImageBytes images = new ImageBytes(3 << 20);
        images.add(2 << 20);
        images.add(1 << 20);
        assertThatThrownBy(() -> images.add(1))
                .isInstanceOf(NotLaidException.class)
                .hasMessageContaining("3 MiB")
                .hasMessageContaining("QUIRE_HEAP");
    }
}
