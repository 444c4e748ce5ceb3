package org.quiredb.node.config;

/// A conflict class and the replica that is wished to be its master.
///
/// @param name of the class, which is that of its database schema
/// @param master a replica's name; it is given the class when it is in sync
public record ClassSection(String name, String master) {
    public ClassSection {
        Checks.present("replica.classes.name", name);
        Checks.present("replica.classes.master", master);
    }
}
