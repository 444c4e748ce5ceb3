package org.quiredb.replica.page;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quiredb.common.version.PageId;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.PageOperations;

/// Reads of a page, which take no lock where they find their version made, against operations that
/// come and versions that go: every interleaving of a few of them is explored, and each result is
/// to be that of some order of them.
@Param(name = "tag", gen = IntGen.class, conf = "2:5")
@Tag("slow")
public final class PageReadsModelTest {
    private static final int TABLE = 1;
    private static final long PAGE = PageId.of(TABLE, 0);
    private static final int LOWEST_TAG = 2;

    private final PageStore store = new PageStore();
    private int committed;

    /// Begins with two commits, the second of which is the lowest that readers ask for.
    public PageReadsModelTest() {
        while (committed < LOWEST_TAG) {
            commitNext();
        }
    }

    @Operation
    public synchronized int commit() {
        return commitNext();
    }

    private int commitNext() {
        int number = ++committed;
        PageWriter writer = new PageWriter(PAGE, new byte[PageOperations.PAGE_BYTES]);
        writer.putByte(0, number);
        store.enqueue(new PageChange(PAGE, writer.operations()), number);
        return number;
    }

    @Operation
    public int read(@Param(name = "tag") int tag) {
        return store.readAt(PAGE, tag)[0];
    }

    @Operation
    public void reclaim() {
        store.lowWatermark(VersionVector.EMPTY.with(TABLE, LOWEST_TAG));
        store.sweep();
    }

    /// What it is to be like.
    public static final class OneAtATime {
        private int committed = LOWEST_TAG;

        public int commit() {
            return ++committed;
        }

        public int read(int tag) {
            return Math.min(tag, committed);
        }

        public void reclaim() {}
    }

    @Test
    void everyReadIsOfItsTagInSomeOrder() {
        new ModelCheckingOptions()
                .sequentialSpecification(OneAtATime.class)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(1)
                .iterations(5)
                .invocationsPerIteration(200)
                .check(PageReadsModelTest.class);
    }
}
