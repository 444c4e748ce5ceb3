/// `quire top`: the console's figures at a terminal, and as lines where there is none.
///
/// {@link org.quiredb.node.top.TopView} is what is to be seen and what a key changes: pure. {@link
/// org.quiredb.node.top.ConsoleLink} asks a console for its `/state`; {@link
/// org.quiredb.node.top.Terminal} is the terminal, put back as it was at the end.
@NullMarked
package org.quiredb.node.top;

import org.jspecify.annotations.NullMarked;
