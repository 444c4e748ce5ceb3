package org.quiredb.tpcw.interaction;

/// The fourteen interactions by their codes, in the order of the transition matrices.
public enum InteractionType {
    ADMC("Admin Confirm"),
    ADMR("Admin Request"),
    BESS("Best Sellers"),
    BUYC("Buy Confirm"),
    BUYR("Buy Request"),
    CREG("Customer Registration"),
    HOME("Home"),
    NEWP("New Products"),
    ORDD("Order Display"),
    ORDI("Order Inquiry"),
    PROD("Product Detail"),
    SREQ("Search Request"),
    SRES("Search Results"),
    SHOP("Shopping Cart");

    private final String title;

    InteractionType(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }
}
