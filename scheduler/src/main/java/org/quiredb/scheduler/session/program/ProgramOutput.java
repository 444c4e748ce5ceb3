package org.quiredb.scheduler.session.program;

import org.quiredb.scheduler.session.state.Output;

/// Where the answers of a program's statements go.
interface ProgramOutput extends Output {
    /// @throws org.quiredb.common.error.QuireException RESULT_NOT_TAKEN where the client takes no
    ///   result of a program, and there was one
    void requireTaken();
}
