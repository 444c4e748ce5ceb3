package org.quiredb.replica.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// How H2 is told of our functions: `PUBLIC.QUIRE_CONCAT_WS` is the method concatWs.
public final class Declarations {
    static final String PREFIX = "QUIRE_";

    private Declarations() {}

    /// @param methods names, with a space between them
    public static List<String> of(Class<?> owner, String methods) {
        List<String> declarations = new ArrayList<>();
        for (String method : methods.split(" ", -1)) {
            declarations.add(
                    "CREATE ALIAS "
                            + PREFIX
                            + method.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT)
                            + " DETERMINISTIC FOR '"
                            + owner.getName()
                            + "."
                            + method
                            + "'");
        }
        return declarations;
    }
}
