package org.quiredb.tpcw.interaction;

import java.sql.SQLException;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// One request of a browser: what it sends, and how the bookstore answers it.
///
/// @param <P> the page that comes back, as far as the browser or a reader of the page would look at
///   it
public sealed interface Interaction<P>
        permits AdminConfirm,
                AdminRequest,
                BestSellers,
                BuyConfirm,
                BuyRequest,
                CustomerRegistration,
                Home,
                NewProducts,
                OrderDisplay,
                OrderInquiry,
                ProductDetail,
                SearchRequest,
                SearchResults,
                ShoppingCart {

    P answer(TransactionRunner transactions) throws SQLException;
}
