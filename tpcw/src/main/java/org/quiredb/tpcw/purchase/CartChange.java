package org.quiredb.tpcw.purchase;

import java.util.List;

/// What a browser wants of its shopping cart.
public sealed interface CartChange {

    /// To see it.
    record Look() implements CartChange {}

    /// One more of an item.
    record Add(int item) implements CartChange {}

    /// New quantities for some of its lines.
    record Refresh(List<Quantity> quantities) implements CartChange {}

    /// How many of an item; 0 takes it out of the cart.
    record Quantity(int item, int quantity) {}
}
