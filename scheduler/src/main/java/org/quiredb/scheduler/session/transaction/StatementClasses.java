package org.quiredb.scheduler.session.transaction;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.sql.tree.TableName;

/// The conflict classes of the tables that a statement names.
///
/// Threads: any.
final class StatementClasses {
    private final Cluster cluster;

    StatementClasses(Cluster cluster) {
        this.cluster = cluster;
    }

    /// The one class of the tables, NONE when none is there: the error of one that is not is the
    /// master's, and the transaction may go on in any class.
    ConflictClass of(Set<TableName> tables) {
        Set<ConflictClass> classes = new HashSet<>();
        tables.stream()
                .flatMap(table -> cluster.catalogue().table(table).stream())
                .forEach(entry -> classes.add(entry.conflictClass()));
        if (classes.size() > 1) {
            throw acrossClasses(tables, ConflictClass.NONE);
        }
        return classes.isEmpty() ? ConflictClass.NONE : classes.iterator().next();
    }

    private ConflictClass classOf(TableName table) {
        return cluster.catalogue()
                .table(table)
                .map(CatalogueEntry::conflictClass)
                .orElseGet(() -> cluster.catalogue().classOf(table.database()));
    }

    /// @param begun the class that the transaction has used already, or none
    QuireException acrossClasses(Set<TableName> tables, ConflictClass begun) {
        String named =
                tables.stream()
                        .map(table -> "table %s is of class %s".formatted(table, classOf(table)))
                        .sorted()
                        .collect(Collectors.joining(", "));
        return new QuireException(
                ErrorCode.NOT_SUPPORTED_YET,
                "This version of Quire doesn't yet support an update transaction over two conflict classes: "
                        + named
                        + (begun.equals(ConflictClass.NONE)
                                ? ""
                                : ", the transaction is of class " + begun)
                        + "; "
                        + ConflictClass.REMEDY);
    }
}
