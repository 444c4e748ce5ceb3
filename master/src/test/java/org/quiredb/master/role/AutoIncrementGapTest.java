package org.quiredb.master.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.TableDefinition;

/// What a new master leaves to the transactions that its predecessor had open.
final class AutoIncrementGapTest {
    @Test
    void aLargeColumnLeavesAThousand() {
        assertThat(gap("bigint(20)", 2)).isEqualTo(1_000);
        assertThat(gap("bigint(20) unsigned", 5_000_000_000L)).isEqualTo(1_000);
        assertThat(gap("int(11)", 7)).isEqualTo(1_000);
    }

    @Test
    void aSmallOneLosesAThousandthOfWhatIsLeft() {
        assertThat(gap("smallint(6)", 67)).isEqualTo(32);
        assertThat(gap("smallint(5) unsigned", 35)).isEqualTo(65);
        assertThat(gap("tinyint(4)", 2)).isZero();
    }

    @Test
    void oneThatIsFullLosesNothing() {
        assertThat(gap("int(11)", 1L << 31)).isZero();
        assertThat(gap("bigint(20)", Long.MAX_VALUE)).isZero();
    }

    @Test
    void whereNoValueHasBeenGivenNoneIsLeftOut() {
        assertThat(gap("int(11)", 1)).isZero();
    }

    @Test
    void aTableWithoutSuchAColumnHasNoGap() {
        assertThat(AutoIncrementGap.of(table(column("int(11)", false)), 7)).isZero();
    }

    private static long gap(String type, long next) {
        return AutoIncrementGap.of(table(column(type, true)), next);
    }

    private static ColumnDefinition column(String type, boolean autoIncrement) {
        return new ColumnDefinition(
                "id", type, false, autoIncrement, null, null, null, false, null);
    }

    private static TableDefinition table(ColumnDefinition column) {
        return new TableDefinition(
                "shop", "item", List.of(column), List.of(), List.of(), List.of(), 0);
    }
}
