package org.quiredb.scheduler.statement;

import org.quiredb.common.error.QuireException;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// A normalised statement without its constants.
final class ShownText {
    private static final int MOST_CHARACTERS = 600;

    private ShownText() {}

    static String of(String normalized) {
        Tokens tokens;
        try {
            tokens = Tokens.ofNormalized(normalized);
        } catch (QuireException e) {
            return "(not understood)";
        }
        StringBuilder shown = new StringBuilder();
        for (Token token : tokens.list()) {
            if (shown.length() > MOST_CHARACTERS) {
                return shown.append(" ...").toString();
            }
            if (token.spaced() && !shown.isEmpty()) {
                shown.append(' ');
            }
            switch (token) {
                case Token.Word word -> shown.append(word.text());
                case Token.Quoted quoted -> shown.append(quoted.text());
                case Token.Symbol symbol -> shown.append(symbol.character());
                case Token.VersionComment _ -> {}
                case Token.Marker _, Token.Constant _ -> shown.append('?');
            }
        }
        return shown.toString();
    }
}
