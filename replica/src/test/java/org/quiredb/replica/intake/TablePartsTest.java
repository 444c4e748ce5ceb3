package org.quiredb.replica.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.PageId;
import org.quiredb.common.writeset.Effects;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.common.writeset.TablePart;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.TableChangedException;

final class TablePartsTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final TableDefinition ITEM =
            new TableDefinition("shop", "item", List.of(), List.of(), List.of(), List.of(), 1);

    private final PageStore store = new PageStore();
    private final TableParts parts = new TableParts(store);

    @Test
    void aCommitBringsToLightWhatItsPartsHaveBrought() {
        take(4, 7, 1, 3, 0, 1);
        take(4, 7, 2, 3, 1, 2);
        parts.complete(commit(4, 7, 2, 3));
        store.createTable(3, 1, 7);
        assertThat(pages(3)).containsExactly(1, 2, 2);
        assertThat(parts.begun()).isEmpty();
        assertThatThrownBy(() -> store.readAt(PageId.of(3, 0), 6))
                .isInstanceOf(TableChangedException.class);
    }

    @Test
    void aPartThatIsMissingIsNoticedAtTheNext() {
        assertThatThrownBy(() -> take(4, 7, 2, 3, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("part 2 of the tables of shop 7 comes after 0");
        take(4, 7, 1, 3, 0);
        assertThatThrownBy(() -> take(4, 7, 3, 3, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> take(4, 8, 2, 3, 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aPartThatIsMissingIsNoticedAtTheCommit() {
        take(4, 7, 1, 3, 0);
        assertThatThrownBy(() -> parts.complete(commit(4, 7, 2, 3)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shop 7 follows 2 parts, of which 1 are here");
        assertThatThrownBy(() -> parts.complete(commit(4, 6, 1, 3)))
                .isInstanceOf(IllegalStateException.class);
    }

    /// Its tables have ids of their own.
    @Test
    void whatALostMasterHasBegunIsDroppedWhenTheNextBegins() {
        take(4, 7, 1, 3, 0, 1);
        assertThat(parts.held(SHOP, 4)).isEqualTo(1);
        assertThat(parts.held(SHOP, 5)).as("nothing for the next master").isZero();
        take(5, 7, 1, 4, 0);
        assertThat(store.pages(3)).isEmpty();
        assertThat(parts.held(SHOP, 5)).isEqualTo(1);
        parts.complete(commit(5, 7, 1, 4));
        assertThat(store.pages(4)).hasSize(1);
    }

    @Test
    void partsOfATableThatTheCommitDoesNotMakeDoNotCount() {
        take(4, 7, 1, 3, 0);
        assertThatThrownBy(() -> parts.complete(commit(5, 7, 1, 4)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whatALostMasterHasBegunIsDroppedWithACommitThatHasNoParts() {
        take(4, 7, 1, 3, 0);
        parts.complete(commit(5, 7, 0, 4));
        assertThat(store.pages(3)).isEmpty();
        assertThat(parts.begun()).isEmpty();
    }

    private void take(long epoch, long commitNumber, int number, int table, int... pages) {
        List<TablePart.Page> sent = new ArrayList<>();
        for (int page : pages) {
            byte[] bytes = new byte[PageOperations.PAGE_BYTES];
            Arrays.fill(bytes, (byte) number);
            sent.add(new TablePart.Page(PageId.of(table, page), bytes));
        }
        TablePart part = new TablePart(SHOP, epoch, commitNumber, number, sent);
        parts.take(TablePart.decode(part.encode()));
    }

    private static WriteSet commit(long epoch, long commitNumber, int parts, int table) {
        return WriteSet.decode(
                new WriteSet(
                                SHOP,
                                epoch,
                                commitNumber,
                                0,
                                List.of(),
                                List.of(),
                                List.of(new SchemaChange.CreateTable(table, SHOP, ITEM)),
                                Effects.NONE,
                                parts)
                        .encode());
    }

    private List<Integer> pages(int table) {
        List<Integer> found = new ArrayList<>();
        store.pages(table).forEach(page -> found.add((int) page.newest().bytes()[0]));
        return found;
    }
}
