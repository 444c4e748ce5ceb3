package org.quiredb.tpcw.purchase;

import java.time.LocalDate;

/// The credit card of an order.
public record Payment(
        String type, String number, String holder, LocalDate expiry, String authorisation) {}
