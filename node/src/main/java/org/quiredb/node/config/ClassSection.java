package org.quiredb.node.config;

import java.util.List;

/// A conflict class and the replica that is wished to be its master.
///
/// @param name of the class; without patterns that of its database schema, or `default`, of all
///   tables that no other class has
/// @param tables patterns `schema.table` with `*` for any characters: these tables are of the class
/// @param master a replica's name; it is given the class when it is in sync
public record ClassSection(String name, String master, @Default("[]") List<String> tables) {
    public ClassSection {
        SectionChecks.present("replica.classes.name", name);
        SectionChecks.present("replica.classes.master", master);
        tables = List.copyOf(tables);
    }
}
