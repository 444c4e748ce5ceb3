/// What a purchase is made of: the lines of a cart, who buys, where the books go, how they are
/// paid, and what they come to.
@NullMarked
package org.quiredb.tpcw.purchase;

import org.jspecify.annotations.NullMarked;
