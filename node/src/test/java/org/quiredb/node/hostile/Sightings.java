package org.quiredb.node.hostile;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/// What hostile clients sent last, and what they should not have seen.
///
/// Threads: any; guarded by this.
final class Sightings {
    private static final int LAST = 200;
    private static final int MANY = 50;
    private static final int SHOWN = 400;
    private static final int UNKNOWN_ERROR = 1105;

    private final Deque<String> last = new ArrayDeque<>();
    private final List<String> wrong = new ArrayList<>();
    private final Map<Integer, Integer> errors = new TreeMap<>();
    private final Map<String, String> internal = new TreeMap<>();
    final Sent packetsBeforeLogin = new Sent();
    final Sent packetsAfterLogin = new Sent();
    final Sent statements = new Sent();

    /// Of a kind, how many were sent, and how many of these the server is known to have read: it
    /// answered to them or to something that was sent after them, or closed after the last.
    static final class Sent {
        private final AtomicLong sent = new AtomicLong();
        private final AtomicLong read = new AtomicLong();

        void sent(int more) {
            sent.addAndGet(more);
        }

        void read(int more) {
            read.addAndGet(more);
        }

        @Override
        public String toString() {
            return "%,d (of %,d sent)".formatted(read.get(), sent.get());
        }
    }

    synchronized void sent(int client, String statement) {
        last.addLast(client + ": " + shortened(statement));
        if (last.size() > LAST) {
            last.removeFirst();
        }
    }

    void heard(String statement, String text) {
        if (text.contains(Places.SECRET)) {
            wrong("a file was read by " + shortened(statement));
        }
    }

    synchronized void answered(String statement, Wire.Answer answer) {
        errors.merge(answer.error(), 1, Integer::sum);
        heard(statement, answer.text() + answer.message());
        if (answer.error() == UNKNOWN_ERROR && internal.size() < MANY) {
            String reason = answer.message().replaceAll("\\d+", "N");
            internal.putIfAbsent(
                    reason.substring(0, Math.min(80, reason.length())),
                    answer.message() + "\n    by " + shortened(statement));
        }
    }

    synchronized void wrong(String what) {
        if (wrong.size() < MANY) {
            System.out.println("WRONG: " + what); // before anything that follows from it
            wrong.add(what + "\n  after\n    " + String.join("\n    ", last));
        }
    }

    synchronized List<String> wrong() {
        return List.copyOf(wrong);
    }

    /// Errors without a number of their own, each with a statement.
    synchronized List<String> internal() {
        return List.copyOf(internal.values());
    }

    synchronized List<String> last() {
        return List.copyOf(last);
    }

    @Override
    public synchronized String toString() {
        return """
        the tier has read
          %s mutated packets before the login
          %s mutated packets after it
          %s statements
        errors by number %s\
        """
                .formatted(packetsBeforeLogin, packetsAfterLogin, statements, errors);
    }

    private static String shortened(String text) {
        String line = text.replace('\n', ' ');
        return line.length() <= SHOWN
                ? line
                : line.substring(0, SHOWN) + "... (" + line.length() + " characters)";
    }
}
