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
    private static final TableDefinition ITEM =
            new TableDefinition("shop", "item", List.of(), List.of(), List.of(), List.of(), 1);

    @Test
    void aTableThatFitsTheHeapEightTimesIsTakenInAgain() {
        assertThatCode(() -> SchemaChanger.requireRoom(ITEM, (64 << 20) / 8192, HEAP_BYTES))
                .doesNotThrowAnyException();
    }

    @Test
    void aLargerOneIsRefusedBeforeAnybodyHasToTakeItIn() {
        assertThatThrownBy(() -> SchemaChanger.requireRoom(ITEM, (67 << 20) / 8192, HEAP_BYTES))
                .isInstanceOfSatisfying(
                        QuireException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_RESOURCES))
                .hasMessageContaining("shop.item, which has 67 MiB");
    }
}
