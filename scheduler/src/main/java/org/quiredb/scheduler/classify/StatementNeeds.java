package org.quiredb.scheduler.classify;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.quiredb.scheduler.account.Need;
import org.quiredb.scheduler.account.Privilege;
import org.quiredb.sql.tree.Change;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.From;
import org.quiredb.sql.tree.Reading;
import org.quiredb.sql.tree.TableName;
import org.quiredb.sql.tree.TreeWalk;

/// The privileges that a statement over rows needs: SELECT on each table that it names, INSERT,
/// UPDATE or DELETE on the one that it changes, and SELECT on that, too, where it looks into it.
///
/// Invariant: what has no tree needs everything. No replica runs it; but none should have to be
/// relied on for that.
///
/// Threads: one.
final class StatementNeeds extends TreeWalk {
    private final List<TableName> named = new ArrayList<>();

    /// The first that is looked at, in whichever table.
    private String column = "";

    private StatementNeeds() {}

    static List<Need> of(Reading reading) {
        StatementNeeds walk = new StatementNeeds();
        if (reading.query() != null) {
            walk.query(reading.query());
            return selected(walk.named, List.of());
        }
        if (reading.change() == null) {
            return Need.EVERYTHING;
        }
        walk.change(reading.change());
        return switch (reading.change()) {
            case Change.Insert insert -> walk.insert(insert);
            case Change.Update update -> walk.update(update);
            case Change.Delete delete -> walk.delete(delete);
        };
    }

    private List<Need> insert(Change.Insert insert) {
        TableName target = name(insert.table());
        List<Need> needs = new ArrayList<>(List.of(need(Privilege.INSERT, target)));
        boolean overwrites = !insert.duplicates().isEmpty(); // and looks at the row that is there
        if (overwrites) {
            needs.add(need(Privilege.UPDATE, target));
            if (column.isEmpty()) {
                column = insert.duplicates().getFirst().column().name();
            }
        }
        if (insert.replaces()) {
            needs.add(need(Privilege.DELETE, target));
        }
        boolean plain = insert.query() == null;
        boolean shows = !insert.returned().isEmpty();
        return changed(needs, target, overwrites || shows || (plain && !column.isEmpty()));
    }

    private List<Need> update(Change.Update update) {
        List<From.Table> joined = new ArrayList<>();
        tables(update.from(), joined);
        Set<TableName> targets = new LinkedHashSet<>();
        for (Change.Assignment one : update.assignments()) {
            targets.addAll(called(one.column().table(), joined));
        }
        return ofTargets(Privilege.UPDATE, targets, joined, false);
    }

    private List<Need> delete(Change.Delete delete) {
        List<From.Table> joined = new ArrayList<>();
        tables(delete.from(), joined);
        Set<TableName> targets = new LinkedHashSet<>();
        delete.targets().forEach(target -> targets.addAll(called(target.name(), joined)));
        if (targets.isEmpty()) {
            targets.addAll(called("", joined));
        }
        return ofTargets(Privilege.DELETE, targets, joined, !delete.returned().isEmpty());
    }

    private List<Need> ofTargets(
            Privilege privilege, Set<TableName> targets, List<From.Table> joined, boolean shows) {
        List<Need> needs = targets.stream().map(target -> need(privilege, target)).toList();
        return joined.size() == 1
                ? changed(needs, targets.iterator().next(), shows || !column.isEmpty())
                : selected(named, needs); // of none but queries it is refused where it is run
    }

    /// Those of one FROM, not of the queries in it.
    private static void tables(From from, List<From.Table> tables) {
        switch (from) {
            case From.Table table -> tables.add(table);
            case From.Derived _ -> {}
            case From.Join join -> {
                tables(join.left(), tables);
                tables(join.right(), tables);
            }
        }
    }

    /// Every one that the name may mean, all of them where it is none of theirs.
    private static Set<TableName> called(String name, List<From.Table> tables) {
        Set<TableName> called =
                tables.stream()
                        .filter(table -> table.called().equalsIgnoreCase(name))
                        .map(StatementNeeds::name)
                        .collect(Collectors.toCollection(LinkedHashSet::new));
        if (called.isEmpty()) {
            tables.forEach(table -> called.add(name(table)));
        }
        return called;
    }

    /// @param looks whether the statement reads columns of the table that it changes
    private List<Need> changed(List<Need> changes, TableName target, boolean looks) {
        List<TableName> read = new ArrayList<>(named);
        read.remove(target); // as the one that is changed; named again it is read, too
        List<Need> needs = new ArrayList<>(selected(read, changes));
        if (looks && !read.contains(target)) { // a server looks at columns last
            needs.add(new Need(Privilege.SELECT, target.database(), target.name(), column));
        }
        return List.copyOf(needs);
    }

    private static List<Need> selected(List<TableName> read, List<Need> changes) {
        Set<Need> needs = new LinkedHashSet<>(changes);
        read.forEach(table -> needs.add(need(Privilege.SELECT, table)));
        return List.copyOf(needs);
    }

    private static Need need(Privilege privilege, TableName table) {
        return Need.on(privilege, table.database(), table.name());
    }

    private static TableName name(From.Table table) {
        return new TableName(table.schema(), table.name());
    }

    @Override
    protected void named(From.Table table) {
        named.add(name(table));
    }

    /// To be assigned to is not to be looked at.
    @Override
    protected void assignment(Change.Assignment assignment) {
        expression(assignment.value());
    }

    @Override
    public void expression(Expression expression) {
        if (column.isEmpty() && expression instanceof Expression.Column looked) {
            column = looked.name();
        }
        super.expression(expression);
    }
}
