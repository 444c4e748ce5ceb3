package org.quiredb.tpcw.schema;

import java.util.List;

/// The values that the specification enumerates.
public final class EnumeratedValues {

    public static final List<String> SUBJECTS =
            Resource.lines(EnumeratedValues.class, "subjects.txt");
    public static final List<String> SHIP_TYPES =
            List.of("AIR", "UPS", "FEDEX", "SHIP", "COURIER", "MAIL");
    public static final List<String> ORDER_STATUSES =
            List.of("PROCESSING", "SHIPPED", "PENDING", "DENIED");
    public static final List<String> BACKINGS =
            List.of("HARDBACK", "PAPERBACK", "USED", "AUDIO", "LIMITED-EDITION");
    public static final List<String> CARD_TYPES =
            List.of("VISA", "MASTERCARD", "DISCOVER", "AMEX", "DINERS");

    private EnumeratedValues() {}
}
