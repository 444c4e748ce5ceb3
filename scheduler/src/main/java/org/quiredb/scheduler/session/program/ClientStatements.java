package org.quiredb.scheduler.session.program;

import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;

/// Runs a statement of a program as one of its client's.
public interface ClientStatements {
    void run(ClientStatement statement, Output output);
}
