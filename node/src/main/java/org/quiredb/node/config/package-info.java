/// What one process is told: which roles it hosts, where they listen, where the other parts are.
///
/// A record per section of the YAML file, validated in its constructor; a component is a key, its
/// {@link org.quiredb.node.config.Default} the value when the file does not name it.
/// docs/configuration.md lists every key, and a test holds it to the records. Every mistake in a
/// file is one sentence that names file, line and key.
@NullMarked
package org.quiredb.node.config;

import org.jspecify.annotations.NullMarked;
