package org.quiredb.scheduler.session.state;

import java.util.List;

/// What a statement would answer with: payloads of column definitions.
///
/// @param parameters how many `?` the statement has
public record Description(int parameters, List<byte[]> columns) {}
