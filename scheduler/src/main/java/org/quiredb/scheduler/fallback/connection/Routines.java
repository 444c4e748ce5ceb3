package org.quiredb.scheduler.fallback.connection;

import java.util.Optional;
import org.quiredb.sql.tree.TableName;

/// The stored programs and the views of one server, as they are now.
public interface Routines {
    /// @param create its CREATE
    /// @param sqlMode with which that is read
    /// @param collation that its database had when it was made
    record Routine(String create, String sqlMode, String collation) {}

    /// Whether the client is shown that there is such a procedure, which it is with any right to
    /// it.
    ///
    /// @throws org.quiredb.scheduler.cluster.StatementFailed with the server's own error
    boolean isShown(TableName procedure);

    /// Empty where there is none of the name.
    ///
    /// @throws org.quiredb.scheduler.cluster.StatementFailed with the server's own error
    Optional<Routine> find(boolean function, TableName name);

    /// Whether there is a package of the name in any database. What stands behind its name is then
    /// perhaps the package's, even where a database is called like it.
    ///
    /// @throws org.quiredb.scheduler.cluster.StatementFailed with the server's own error
    boolean isPackage(String name);

    /// @param name as the server has it
    /// @param query in which names have their databases; empty where Quire's account is not shown
    ///   it
    /// @param invoker whether it reads its tables with the rights of who asks for it
    /// @param collation of its constants
    record View(TableName name, String query, boolean invoker, String collation) {}

    /// Empty where there is none of the name.
    ///
    /// @throws org.quiredb.scheduler.cluster.StatementFailed with the server's own error
    Optional<View> view(TableName name);

    /// Looks at what a CALL would run, before it is run on the same server.
    interface Look {
        /// @throws org.quiredb.common.error.QuireException where it is not to be run
        ProcedureCall at(Routines routines);
    }
}
