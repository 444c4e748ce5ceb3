package org.quiredb.logger.set;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.quiredb.logger.set.Discovery.Verdict;

class SurveyTest {
    private static final long OLD = 7;
    private static final long NEW = 8;
    private static final List<String> BOTH = List.of("a", "b");

    @Test
    void aFirstSetNeedsAllThatAreConfigured() {
        assertThat(survey(Map.of("a", Sighting.EMPTY))).isEqualTo(new Verdict.Wait(List.of("b")));
        assertThat(survey(Map.of("a", Sighting.EMPTY, "b", Sighting.EMPTY)))
                .isEqualTo(new Verdict.Found(BOTH));
    }

    @Test
    void whoWasLeftAloneGoesOn() {
        assertThat(survey(Map.of("a", holds(3, 3, "a"))))
                .isEqualTo(new Verdict.Take(new Membership(4, NEW, List.of("a"))));
    }

    @Test
    void whoWasLeftBehindWaitsForTheOther() {
        assertThat(survey(Map.of("b", holds(2, 2, "a", "b"))))
                .isEqualTo(new Verdict.Wait(List.of("a")));
    }

    @Test
    void whoWasLeftBehindIsNotAskedWhenTheOtherIsThere() {
        assertThat(survey(Map.of("a", holds(3, 3, "a"), "b", holds(2, 2, "a", "b"))))
                .isEqualTo(new Verdict.Take(new Membership(4, NEW, List.of("a"))));
    }

    @Test
    void aTakeThatReachedOneOnlyDoesNotOutdoWhoWentOnAlone() {
        Sighting halfTaken = holds(4, 2, "a", "b");
        Sighting wentOn = holds(3, 3, "a");
        assertThat(survey(Map.of("a", wentOn, "b", halfTaken)))
                .isEqualTo(new Verdict.Take(new Membership(5, NEW, BOTH)));
        assertThat(survey(Map.of("b", halfTaken))).isEqualTo(new Verdict.Wait(List.of("a")));
    }

    @Test
    void whoIsRemovedFromTheConfigurationIsNotWaitedFor() {
        Map<String, Sighting> seen = Map.of("b", holds(2, 2, "a", "b"));
        assertThat(new Discovery(List.of("b", "c"), seen).verdict(NEW))
                .isEqualTo(new Verdict.Take(new Membership(3, NEW, List.of("b"))));
        assertThat(new Discovery(List.of("c"), Map.of("c", holds(2, 2, "a", "b"))).verdict(NEW))
                .isEqualTo(new Verdict.Foreign(BOTH));
    }

    private static Verdict survey(Map<String, Sighting> seen) {
        return new Discovery(BOTH, seen).verdict(NEW);
    }

    private static Sighting holds(long generation, long written, String... members) {
        return new Sighting(
                new Membership(generation, OLD, List.of(members)), new Version(written, 10));
    }
}
