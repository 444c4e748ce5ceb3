package org.quiredb.tpcw.schema;

import java.math.BigDecimal;
import java.util.List;

/// One of the 92 countries, which never change.
public record Country(int id, String name, BigDecimal exchange, String currency) {

    public static final List<Country> ALL =
            Resource.rows(Country.class, "countries.csv").stream()
                    .skip(1)
                    .map(row ->
                            new Country(
                                    Integer.parseInt(row.get(0)),
                                    row.get(1),
                                    new BigDecimal(row.get(2)),
                                    row.get(3)))
                    .toList();
}
