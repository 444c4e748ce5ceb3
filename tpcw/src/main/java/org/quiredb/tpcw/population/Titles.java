package org.quiredb.tpcw.population;

import java.util.List;
import org.quiredb.tpcw.random.DigSyl;
import org.quiredb.tpcw.random.TpcwRandom;

/// Titles as the TPC's text generator makes them: 14 to 60 characters of plain sentences around one
/// key.
///
/// The key stands at the beginning of a word, not beyond position 44; in a quarter of the titles it
/// is glued into the word, where only a search for "anywhere" finds it.
final class Titles {

    private static final int MIN_LENGTH = 14;
    private static final int MAX_LENGTH = 60;
    private static final int LAST_KEY_POSITION = 44;
    private static final double GLUED = 0.25;

    private static final List<List<String>> SENTENCE =
            List.of(
                    List.of("the", "every", "some", "no", "another", "a"),
                    List.of(
                            "quiet", "furious", "careful", "bold", "ironic", "pending", "silent",
                            "final", "slow"),
                    List.of(
                            "garden", "river", "theory", "harbor", "orchard", "teacher", "winter",
                            "machine", "letter"),
                    List.of(
                            "finds", "crosses", "haunts", "teaches", "wakes", "sells", "forgets",
                            "follows"),
                    List.of("the", "its", "our", "that", "one"),
                    List.of("last", "hidden", "golden", "ordinary", "broken", "northern", "early"),
                    List.of(
                            "mountain",
                            "pattern",
                            "market",
                            "voice",
                            "island",
                            "captain",
                            "answer",
                            "bridge"),
                    List.of("under", "beyond", "without", "against", "above", "for", "near"),
                    List.of("water", "night", "doubt", "stone", "summer", "silver", "heaven"));

    private Titles() {}

    static String title(TpcwRandom draw, int key) {
        String code = DigSyl.key(key);
        int textLength = draw.between(MIN_LENGTH, MAX_LENGTH) - code.length() - 1;
        if (textLength <= 0) {
            return code;
        }
        String words = words(draw, textLength);
        int position = wordStart(draw, words);
        String gap = draw.chance(GLUED) ? "" : " ";
        return (words.substring(0, position) + code + gap + words.substring(position)).strip();
    }

    private static String words(TpcwRandom draw, int length) {
        var words = new StringBuilder();
        for (int i = 0; words.length() < length; i++) {
            if (i > 0) {
                words.append(' ');
            }
            words.append(draw.pick(SENTENCE.get(i % SENTENCE.size())));
        }
        words.setLength(length);
        return words.toString();
    }

    private static int wordStart(TpcwRandom draw, String words) {
        int space =
                words.lastIndexOf(
                        ' ', draw.between(0, Math.min(words.length(), LAST_KEY_POSITION) - 1));
        return space + 1;
    }
}
