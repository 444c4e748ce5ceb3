package org.quiredb.scheduler.session.state;

import java.io.InputStream;

/// A file of the client's, for which it is asked when it is first read.
///
/// Threads: one at a time.
public abstract class ClientFile extends InputStream {
    /// Reads what is left of it where it was asked for: only then the client takes an answer.
    public abstract void skipRest();
}
