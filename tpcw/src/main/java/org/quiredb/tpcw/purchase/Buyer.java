package org.quiredb.tpcw.purchase;

import java.math.BigDecimal;
import java.time.LocalDate;

/// Who wants to buy.
public sealed interface Buyer {

    /// A customer with a name and a password.
    record Returning(String userName, String password) implements Buyer {}

    /// Somebody who registers.
    record New(
            String firstName,
            String lastName,
            AddressForm address,
            String phone,
            String email,
            LocalDate birthdate,
            String data,
            BigDecimal discount)
            implements Buyer {}
}
