package org.quiredb.master.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.schema.TableDefinition;

final class RebuiltTablesTest {
    private static final long HEAP_BYTES = 512L << 20;
    private static final int PAGES = (128 << 20) / 8192;
    private static final TableDefinition ITEM =
            new TableDefinition("shop", "item", List.of(), List.of(), List.of(), List.of(), 1);

    @Test
    void aTableThatFitsTheHeapOnceMoreIsTakenInAgain() {
        assertThatCode(() -> SchemaChanger.requireRoom(ITEM, PAGES, 256 << 20, HEAP_BYTES))
                .doesNotThrowAnyException();
    }

    @Test
    void aLargerOneIsRefusedBeforeAnybodyHasToTakeItIn() {
        assertThatThrownBy(() -> SchemaChanger.requireRoom(ITEM, PAGES, 257 << 20, HEAP_BYTES))
                .isInstanceOfSatisfying(
                        QuireException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_RESOURCES))
                .hasMessageContaining(
                        "shop.item makes its 128 MiB of pages anew, with 257 MiB in memory");
    }
}
