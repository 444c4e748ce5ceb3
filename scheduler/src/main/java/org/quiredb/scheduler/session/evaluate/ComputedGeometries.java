package org.quiredb.scheduler.session.evaluate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.backend.ReplicaText;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Diagnostics;
import org.quiredb.scheduler.session.state.UserVariable;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// A change of rows with the bytes of its geometries where functions make these of constants: then
/// memory stores the rows, and no table has to be locked as a whole for the backend to do it.
///
/// Threads: its session's.
public final class ComputedGeometries {
    /// A server answers a question for each with three columns, of which it shows 4,096.
    private static final int AT_ONCE = 1_000;

    private static final int MOST = 100_000;

    private static final String NAME = "quire_geometry_";

    /// The server's own alone: a stored function, of any other name, may give each row another
    /// value.
    private static final Pattern MAKES =
            Pattern.compile(
                    "point|linestring|polygon|multipoint|multilinestring|multipolygon|geometrycollection"
                            + "|st_geomfromgeojson|(st_)?(geom|geometry|point|line|linestring|poly|polygon"
                            + "|mpoint|multipoint|mline|multilinestring|mpoly|multipolygon|geomcoll"
                            + "|geometrycollection)from(text|wkb)",
                    Pattern.CASE_INSENSITIVE);

    /// @param to behind its last token
    private record Place(int from, int to) {}

    private ComputedGeometries() {}

    /// Null where there are none, or where one is none or warns: what becomes of that a server
    /// says, to which a warning may be an error of the change.
    public static @Nullable ClientStatement in(
            ClientStatement sent, Fallback fallback, Diagnostics diagnostics) {
        Tokens tokens = sent.tokens();
        boolean changes =
                tokens.is(0, "INSERT") || tokens.is(0, "REPLACE") || tokens.is(0, "UPDATE");
        List<Place> places = changes && !tokens.dependsOnVersion() ? places(tokens) : List.of();
        if (places.isEmpty() || places.size() > MOST) {
            return null;
        }
        Edits bound = new Edits(tokens);
        ReplicaText.withLiterals(sent.bound(), tokens, bound);
        Tokens whole = Tokens.of(bound.made()).plain();
        List<Place> now = places(whole);
        Edits edits = new Edits(whole);
        for (int from = 0; from < now.size(); from += AT_ONCE) {
            List<Place> some = now.subList(from, Math.min(from + AT_ONCE, now.size()));
            if (!computed(some, whole, edits, fallback, diagnostics)) {
                return null;
            }
        }
        ClientStatement made =
                ClientStatement.of(edits.made(), List.of(), sent.binaryRows(), sent.moreResults());
        return sent.database() == null ? made : made.preparedIn(sent.database());
    }

    /// Whether each of them is a geometry, which then stands in its place.
    private static boolean computed(
            List<Place> places,
            Tokens whole,
            Edits edits,
            Fallback fallback,
            Diagnostics diagnostics) {
        Map<String, String> expressions = new LinkedHashMap<>();
        for (int i = 0; i < places.size(); i++) {
            expressions.put(NAME + i, whole.text(places.get(i).from(), places.get(i).to()));
        }
        Map<String, UserVariable> values;
        try {
            values = fallback.values().evaluate(expressions);
        } catch (StatementFailed e) {
            return false; // an error of the whole statement
        }
        if (!diagnostics.conditions().isEmpty()) {
            diagnostics.begins(true);
            return false;
        }
        for (int i = 0; i < places.size(); i++) {
            UserVariable value = values.get(NAME + i);
            if (value == null || !(value.value() instanceof SqlValue.BytesValue)) {
                return false;
            }
            edits.replace(places.get(i).from(), places.get(i).to(), value.constant());
        }
        return true;
    }

    /// Calls that nothing but constants stand in, the outermost of each.
    private static List<Place> places(Tokens tokens) {
        List<Place> places = new ArrayList<>();
        for (int i = 1; i < tokens.size(); i++) {
            int end = makes(tokens, i) && !tokens.is(i - 1, '.') ? end(tokens, i) : -1;
            if (end > 0) {
                places.add(new Place(i, end));
                i = end - 1;
            }
        }
        return places;
    }

    private static boolean makes(Tokens tokens, int at) {
        return tokens.is(at + 1, '(') && MAKES.matcher(tokens.upper(at)).matches();
    }

    /// Behind the call's parenthesis; -1 where something else stands in it.
    private static int end(Tokens tokens, int from) {
        int depth = 0;
        boolean constants = false;
        for (int i = from; i < tokens.size(); i++) {
            if (tokens.is(i, '(')) {
                depth++;
            } else if (tokens.is(i, ')')) {
                depth--;
                if (depth == 0) {
                    return constants ? i + 1 : -1;
                }
            } else if (tokens.isConstant(i) || tokens.get(i) instanceof Token.Marker) {
                constants = true;
            } else if (!joins(tokens, i) && !makes(tokens, i)) {
                return -1;
            }
        }
        return -1;
    }

    private static boolean joins(Tokens tokens, int at) {
        return tokens.get(at) instanceof Token.Symbol(char symbol, boolean _)
                && ",+-*/".indexOf(symbol) >= 0;
    }
}
