package org.quiredb.master.schema;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.schema.ForeignKeyDefinition;
import org.quiredb.common.schema.SchemaNames;
import org.quiredb.common.schema.SchemaNames.Name;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ConflictClass;

/// The one conflict class of what belongs together: pure.
public final class TableClasses {
    /// Characters, MySQL's bound.
    private static final int MAXIMUM_NAME = 64;

    private TableClasses() {}

    /// @throws QuireException when a foreign key would need a transaction over two classes
    public static void requireInside(ClassPatterns patterns, TableDefinition table) {
        Name child = new Name(table.schema(), table.name());
        for (ForeignKeyDefinition key : table.foreignKeys()) {
            Name parent = new Name(key.referencedSchema(), key.referencedTable());
            one(patterns, "a foreign key between", List.of(child, parent));
        }
    }

    /// The class in whose order a schema change is.
    ///
    /// @param database of names without one
    /// @throws QuireException when it names tables of several
    static ConflictClass of(
            ClassPatterns patterns,
            List<CatalogueEntry> known,
            String database,
            SchemaNames statement) {
        if (!statement.wholeDatabase().isEmpty()) {
            String schema = statement.wholeDatabase();
            requireDatabase(schema);
            List<Name> inside = names(known).filter(n -> n.schema().equals(schema)).toList();
            return inside.isEmpty()
                    ? patterns.classOf(schema)
                    : one(patterns, "a change of a whole database with", inside);
        }
        if (statement.tables().isEmpty()) {
            return patterns.classOf(database); // what is no statement: the backend tells why
        }
        List<Name> tables = statement.tables().stream().map(in(database)).toList();
        List<Name> parents = statement.parents().stream().map(in(database)).toList();
        ConflictClass changed = one(patterns, "a schema change over", tables);
        one(
                patterns,
                "a foreign key between",
                Stream.concat(tables.stream(), parents.stream()).toList());
        Set<Name> there = names(known).collect(Collectors.toSet());
        Stream<Name> sources =
                statement.sources().stream().map(name -> name.in(database)).filter(there::contains);
        one(patterns, "a schema change over", Stream.concat(tables.stream(), sources).toList());
        return changed;
    }

    private static UnaryOperator<Name> in(String database) {
        return name -> {
            if (name.schema().isEmpty() && database.isEmpty()) {
                throw new QuireException(ErrorCode.NO_DATABASE_SELECTED, "No database selected");
            }
            return name.in(database);
        };
    }

    private static Stream<Name> names(List<CatalogueEntry> tables) {
        return tables.stream().map(t -> new Name(t.definition().schema(), t.definition().name()));
    }

    /// What no database can be called is told before its class is made.
    private static void requireDatabase(String name) {
        if (name.isEmpty()
                || name.endsWith(" ")
                || name.codePointCount(0, name.length()) > MAXIMUM_NAME) {
            throw new QuireException(
                    ErrorCode.WRONG_DATABASE_NAME, "Incorrect database name '" + name + "'");
        }
    }

    private static ConflictClass one(ClassPatterns patterns, String what, Collection<Name> names) {
        names.forEach(name -> requireDatabase(name.schema()));
        Set<String> classes = new TreeSet<>();
        names.forEach(n -> classes.add(patterns.classOf(n.schema(), n.table()).name()));
        if (classes.size() > 1) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "This version of Quire doesn't yet support %s tables of two conflict classes: %s; %s"
                            .formatted(
                                    what,
                                    names.stream()
                                            .distinct()
                                            .map(n ->
                                                    "table %s is of class %s"
                                                            .formatted(
                                                                    n,
                                                                    patterns.classOf(
                                                                            n.schema(), n.table())))
                                            .collect(Collectors.joining(", ")),
                                    ConflictClass.REMEDY));
        }
        return new ConflictClass(classes.iterator().next());
    }
}
