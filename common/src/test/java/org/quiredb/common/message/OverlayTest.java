package org.quiredb.common.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.common.writeset.RowShape;

final class OverlayTest {
    @Test
    void isTheSameWhenItsPacketsArePutTogether() {
        RowShape shape =
                new RowShape(RowShape.Kind.INSERT, "s", "t", List.of("id"), List.of("id", "v"), "");
        List<RowChange> rows = new ArrayList<>();
        for (int id = 0; id < 1_000; id++) {
            rows.add(new RowChange(shape, List.of(SqlValue.of(id), SqlValue.of("x".repeat(id)))));
        }
        Overlay overlay =
                new Overlay(List.of(new Overlay.Locked(3, 1L << 40)), RowChanges.of(rows));
        List<byte[]> parts = new ArrayList<>();
        overlay.sendTo(parts::add);
        assertThat(parts).hasSizeGreaterThan(1);

        Overlay.Received received = new Overlay.Received();
        parts.forEach(received::add);
        assertThat(received.overlay()).isEqualTo(overlay);
    }

    @Test
    void aStepIsTheSameOverTheWire() {
        for (TransactionStep step :
                List.of(
                        new OverlayStep(List.of(1, 500), List.of(2), 7, 10_000),
                        new SavepointStep(SavepointStep.Kind.RELEASE, "one"))) {
            ByteWriter writer = new ByteWriter();
            step.encode(writer);
            ByteReader reader = new ByteReader(writer.toByteArray());
            assertThat(TransactionStep.decode(reader)).isEqualTo(step);
            reader.finish();
        }
        assertThatThrownBy(() -> TransactionStep.decode(new ByteReader(new byte[] {9})))
                .isInstanceOf(MangledMessageException.class);
    }
}
