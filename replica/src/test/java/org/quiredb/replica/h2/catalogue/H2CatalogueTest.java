package org.quiredb.replica.h2.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.h2.engine.Database;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.ForeignKeyDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.binding.BoundStatement;
import org.quiredb.replica.h2.session.Plan;
import org.quiredb.replica.h2.session.PooledSession;
import org.quiredb.replica.kind.ParameterTypes;
import org.quiredb.replica.kind.Scope;
import org.quiredb.replica.page.PageStore;
import org.quiredb.sql.parse.Parser;

/// Schema changes as they come from a backend, and what H2 makes of them.
class H2CatalogueTest {
    private static final IndexDefinition PRIMARY =
            new IndexDefinition("PRIMARY", true, List.of("id"));

    private final PageStore store = new PageStore();
    private final H2Catalogue catalogue = new H2Catalogue(store);

    @AfterEach
    void close() {
        catalogue.close();
    }

    /// `CREATE TABLE p (..., UNIQUE u (o, n), CONSTRAINT f FOREIGN KEY (o) REFERENCES o (id))`,
    /// then the key is dropped, and the table.
    @Test
    void aForeignKeyThatUsesALongerUniqueKeyIsDroppedBeforeItsTable() {
        List<ColumnDefinition> columns = List.of(integer("id"), integer("o"), integer("n"));
        List<IndexDefinition> indexes = List.of(PRIMARY, unique("u", "o", "n"));
        create(1, table("o", List.of(integer("id")), List.of(PRIMARY)));
        create(2, table("p", columns, indexes, key("f", "o", "o", "id")));
        drop(2);
        create(3, table("p", columns, indexes));
        drop(3);
        assertTables("o");
    }

    /// The table that a foreign key refers to is changed twice.
    @Test
    void aParentIsMadeAnewTwice() {
        List<IndexDefinition> indexes = List.of(PRIMARY, unique("u", "ct", "c"));
        List<ColumnDefinition> columns = List.of(integer("id"), integer("ct"), integer("c"));
        List<ColumnDefinition> named = List.of(integer("id"), integer("name"));
        create(1, table("ct", named, List.of(PRIMARY)));
        create(2, table("pm", columns, indexes, key("f", "ct", "ct", "id")));
        drop(1);
        create(3, table("ct", named, List.of(PRIMARY)));
        drop(3);
        create(4, table("ct", List.of(integer("id")), List.of(PRIMARY)));
        assertTables("ct", "pm");
        assertThat(index("SELECT id FROM pm WHERE ct = 1 AND c = 2")).contains("pm: u");
        drop(2);
        assertTables("ct");
    }

    @Test
    void whatFailsInH2IsMadeAnewBesideTheStatementsUnderWay() throws Exception {
        create(1, table("a", List.of(integer("id")), List.of(PRIMARY)));
        create(
                2,
                table(
                        "b",
                        List.of(integer("id"), integer("n")),
                        List.of(PRIMARY, unique("u", "n"))));
        PooledSession underWay = catalogue.session();
        Database old = underWay.session().getDatabase();
        old.getSystemSession()
                .prepare("DROP INDEX \"d\".\"i2_u\"")
                .update(); // as an H2 with a fault may do
        old.getSystemSession().commit(true);

        drop(1);

        PooledSession next = catalogue.session();
        assertThat(next.session().getDatabase()).isNotSameAs(old);
        next.giveBack();
        assertThat(index("SELECT id FROM b WHERE n = 1")).contains("b: u");
        underWay.session().prepare("SELECT * FROM \"d\".\"b\"");
        assertThat(old.getAllTablesAndViews()).isNotEmpty();
        underWay.giveBack();
        assertThat(old.getSessionCount()).isZero();
    }

    @Test
    void aTableThatH2RefusesIsTheBackendsAndTheOthersServe() {
        IndexDefinition refused = new IndexDefinition("k", false, List.of("nowhere"));
        create(1, table("a", List.of(integer("id")), List.of(PRIMARY)));
        create(2, table("z", List.of(integer("id")), List.of(PRIMARY, refused)));
        create(3, table("b", List.of(integer("id")), List.of(PRIMARY), key("f", "id", "z", "id")));
        // What refers to it cannot be checked: it is not changed either.
        assertThat(catalogue.limited())
                .extracting(limited -> limited.table() + " " + limited.reads())
                .containsExactlyInAnyOrder("d.z true", "d.b false");
        assertThat(served("SELECT * FROM z")).isFalse();
        assertThat(served("SELECT * FROM a")).isTrue();
        assertThat(plan("SELECT * FROM a")).isEqualTo("a");
        assertThat(plan("SELECT * FROM b")).isEqualTo("b");
        drop(2);
        assertThat(catalogue.limited()).isEmpty();
        assertTables("a", "b");
    }

    /// What cannot be run here would be asked for again for ever, of ever newer tags.
    @Test
    void aClassWhoseLastTableIsGoneHasNotChangedSinceATagThatDoesNotNameIt() {
        create(1, table("a", List.of(integer("id")), List.of(PRIMARY)));
        create(2, table("b", List.of(integer("id")), List.of(PRIMARY)));
        assertThat(catalogue.changedSince(VersionVector.EMPTY)).isTrue();
        drop(2);
        assertThat(catalogue.changedSince(VersionVector.EMPTY)).isTrue();
        drop(1);
        assertThat(catalogue.changedSince(VersionVector.EMPTY)).isFalse();
    }

    @Test
    void ofTwoTablesWhoseNamesDifferInCaseNeitherIsTakenForTheOther() {
        create(1, table("a", List.of(integer("id")), List.of(PRIMARY)));
        create(2, table("A", List.of(integer("id"), integer("n")), List.of(PRIMARY)));
        assertThat(served("SELECT * FROM a")).isFalse();
        drop(2);
        assertThat(served("SELECT * FROM a")).isTrue();
        assertTables("a");
    }

    @Test
    void aForeignKeyMayReferToWhatIsNotUnique() {
        create(
                1,
                table(
                        "o",
                        List.of(integer("id"), integer("n")),
                        List.of(PRIMARY, new IndexDefinition("k", false, List.of("n", "id")))));
        create(
                2,
                table(
                        "p",
                        List.of(integer("id"), integer("n")),
                        List.of(PRIMARY, new IndexDefinition("k", false, List.of("n"))),
                        key("f", "n", "o", "n")));
        assertThat(catalogue.limited()).isEmpty();
        drop(1);
        assertTables("p");
    }

    private void create(int tableId, TableDefinition table) {
        catalogue.apply(new SchemaChange.CreateTable(tableId, table), tableId);
    }

    private void drop(int tableId) {
        catalogue.apply(new SchemaChange.DropTable(tableId), tableId);
    }

    private void assertTables(String... names) {
        assertThat(catalogue.tables())
                .extracting(table -> table.definition().name())
                .containsExactlyInAnyOrder(names);
        for (String name : names) {
            assertThat(plan("SELECT * FROM " + name)).isEqualTo(name);
        }
    }

    private BoundStatement bound(String sql) {
        Scope scope = new Scope("d", catalogue.byName()::get);
        return BoundStatement.read(Parser.read(sql), scope, ParameterTypes.UNKNOWN);
    }

    private boolean served(String sql) {
        try {
            catalogue.requireServed(bound(sql).tables());
            return true;
        } catch (QuireException e) {
            return false;
        }
    }

    private String plan(String sql) {
        PooledSession session = catalogue.session();
        try {
            Plan plan = session.plan(bound(sql).queryText(), catalogue.version());
            plan.end();
            return sql.replaceFirst(".* FROM ", "");
        } finally {
            session.giveBack();
        }
    }

    private String index(String sql) {
        PooledSession session = catalogue.session();
        try {
            return session.plan(bound(sql).queryText(), catalogue.version()).steps().toString();
        } finally {
            session.giveBack();
        }
    }

    private static ColumnDefinition integer(String name) {
        return new ColumnDefinition(name, "int(11)", false, false, null, null, null, false, null);
    }

    private static IndexDefinition unique(String name, String... columns) {
        return new IndexDefinition(name, true, List.of(columns));
    }

    private static ForeignKeyDefinition key(
            String name, String column, String parent, String referenced) {
        return new ForeignKeyDefinition(
                name, List.of(column), "d", parent, List.of(referenced), "RESTRICT", "RESTRICT");
    }

    private static TableDefinition table(
            String name,
            List<ColumnDefinition> columns,
            List<IndexDefinition> indexes,
            ForeignKeyDefinition... keys) {
        return new TableDefinition("d", name, columns, indexes, List.of(keys), List.of(), 0);
    }
}
