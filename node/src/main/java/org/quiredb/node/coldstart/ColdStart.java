package org.quiredb.node.coldstart;

import java.util.LinkedHashMap;
import java.util.Map;

/// What came of one start, in ms from the moment at which the last host began.
///
/// @param what was started, and how
/// @param servesMillis until clients could write and read through every scheduler
/// @param completeMillis until every process served or stood by
/// @param acknowledged entries that clients were told of before
/// @param failure empty when it was good
public record ColdStart(
        String what, long servesMillis, long completeMillis, int acknowledged, String failure) {
    public boolean good() {
        return failure.isEmpty();
    }

    /// In one line.
    public String summary() {
        return good()
                ? "%s: serves after %.1f s, complete after %.1f s, %d entries"
                        .formatted(
                                what, servesMillis / 1000.0, completeMillis / 1000.0, acknowledged)
                : "%s: FAILED, %s".formatted(what, failure);
    }

    /// Under the names of the command's JSON.
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("start", what);
        json.put("good", good());
        if (good()) {
            json.put("servesMillis", servesMillis);
            json.put("completeMillis", completeMillis);
            json.put("acknowledged", acknowledged);
        } else {
            json.put("failure", failure);
        }
        return json;
    }
}
