package org.quiredb.benchmark.profile;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What an interaction costs each process.
final class ProfileReport {
    private static final int MOST_THREADS = 8;
    private static final int MOST_STAGES = 14;
    private static final double LEAST_SHARE = 0.01;

    /// @param used in the recorded seconds
    /// @param samples of what ran Java; nothing for a database
    record Role(String name, ProcessorTime used, Samples samples) {}

    private ProfileReport() {}

    /// @param interactions that were completed in the recorded seconds
    static String of(String mix, double seconds, long interactions, List<Role> roles) {
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        "%s, %.0f s: %,d interactions, %.1f per second%n",
                        mix,
                        seconds,
                        interactions,
                        interactions / seconds));
        double all = 0;
        text.append(
                String.format(
                        Locale.ROOT,
                        "%-20s %12s %18s %12s %12s%n",
                        "process",
                        "% of a core",
                        "us / interaction",
                        "compilers",
                        "collector"));
        for (Role role : roles) {
            all += role.used.millis();
            text.append(process(role, seconds, interactions));
        }
        text.append(
                String.format(
                        Locale.ROOT,
                        "%-20s %12.1f %18.0f%n",
                        "all",
                        all / seconds / 10,
                        micros(all, interactions)));
        for (Role role : roles) {
            if (!role.samples.threads().isEmpty()) {
                text.append(System.lineSeparator());
                text.append(
                        String.format(
                                Locale.ROOT,
                                "%s: us / interaction by threads, then by stage, compilers and collector aside%n",
                                role.name));
                double micros = micros(role.used.programMillis(), interactions);
                text.append(shares(role.samples.threads(), MOST_THREADS, micros));
                text.append(System.lineSeparator());
                text.append(shares(role.samples.stages(), MOST_STAGES, micros));
            }
        }
        return text.toString();
    }

    private static String process(Role role, double seconds, long interactions) {
        return String.format(
                Locale.ROOT,
                "%-20s %12.1f %18.0f %12.0f %12.0f%n",
                role.name,
                role.used.millis() / seconds / 10,
                micros(role.used.millis(), interactions),
                micros(role.used.compilerMillis(), interactions),
                micros(role.used.collectorMillis(), interactions));
    }

    private static double micros(double millis, long interactions) {
        return 1000 * millis / Math.max(1, interactions);
    }

    private static String shares(Map<String, Double> shares, int most, double micros) {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, Double> share : Samples.greatest(shares, most)) {
            if (share.getValue() >= LEAST_SHARE) {
                text.append(
                        String.format(
                                Locale.ROOT,
                                "  %-36s %8.0f %6.1f %%%n",
                                share.getKey(),
                                micros * share.getValue(),
                                100 * share.getValue()));
            }
        }
        return text.toString();
    }
}
