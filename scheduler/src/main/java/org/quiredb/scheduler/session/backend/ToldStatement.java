package org.quiredb.scheduler.session.backend;

import org.quiredb.scheduler.fallback.connection.Asked;
import org.quiredb.sql.command.SessionTerms;

/// A statement as the backend is to be told it.
public record ToldStatement(Asked asked, SessionTerms terms, NamedLocks.Named locked) {}
