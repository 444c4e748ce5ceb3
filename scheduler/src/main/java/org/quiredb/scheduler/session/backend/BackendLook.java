package org.quiredb.scheduler.session.backend;

import org.quiredb.scheduler.fallback.connection.Routines;
import org.quiredb.sql.command.SessionTerms;

/// A look at what the backend is to run, of which the session learns something then.
public interface BackendLook extends Routines.Look {
    /// What that is, once it has been looked at.
    SessionTerms terms();
}
