package org.quiredb.replica.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.writeset.PageOperations;

class PageWriterTest {
    private final byte[] base = new byte[PageOperations.PAGE_BYTES];

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void whatIsRecordedGivesTheSamePage(long seed) {
        Random random = new Random(seed);
        random.nextBytes(base);
        PageWriter writer = new PageWriter(1, base);
        assertThat(writer.changed()).isFalse();
        for (int i = 0; i < 400; i++) {
            change(writer, random);
            byte[] replayed = base.clone();
            PageOperations.apply(writer.operations(), replayed);
            assertThat(replayed).isEqualTo(writer.bytes());
        }
        assertThat(writer.changed()).isTrue();
    }

    private static void change(PageWriter writer, Random random) {
        int at = random.nextInt(60);
        switch (random.nextInt(5)) {
            case 0 -> writer.putByte(at, random.nextInt());
            case 1 -> writer.putShort(at, random.nextInt());
            case 2 -> writer.putInt(at, random.nextInt());
            case 3 -> writer.putLocator(at, random.nextLong());
            default -> writer.move(at, random.nextInt(60), random.nextInt(30));
        }
    }

    @Test
    void putsThatTouchAreRecordedAsOne() {
        PageWriter writer = new PageWriter(1, base);
        writer.putShort(100, 7);
        writer.putShort(102, 8);
        writer.putShort(98, 9);
        writer.putByte(100, 1);
        assertThat(writer.operations()).hasSize(2 + 1 + 6);
    }

    @Test
    void noMoreThanTheWholePageIsRecorded() {
        PageWriter writer = new PageWriter(1, base);
        for (int i = 0; i < 10000; i++) {
            writer.putByte(i * 7919 % PageOperations.PAGE_BYTES, i);
        }
        assertThat(writer.operations()).hasSizeLessThan(PageOperations.PAGE_BYTES + 8);
    }
}
