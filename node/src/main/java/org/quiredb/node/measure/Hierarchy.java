package org.quiredb.node.measure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The system's tree of control groups that shares processors out.
///
/// @param unified version 2, else 1
/// @param places folders in which a group might be made, the best first
record Hierarchy(boolean unified, List<Path> places) {
    private static final Pattern BLANK = Pattern.compile(" ");
    private static final Pattern COMMA = Pattern.compile(",");
    private static final Pattern COLON = Pattern.compile(":");

    Hierarchy {
        places = List.copyOf(places);
    }

    /// Version 1 where it has the processors, else version 2 if there is one.
    ///
    /// @param mounts as in `/proc/self/mounts`
    /// @param own as in `/proc/self/cgroup`
    static Optional<Hierarchy> of(List<String> mounts, List<String> own) {
        return hierarchy(mounts, own, false).or(() -> hierarchy(mounts, own, true));
    }

    private static Optional<Hierarchy> hierarchy(
            List<String> mounts, List<String> own, boolean unified) {
        return mounts.stream()
                .map(BLANK::split)
                .filter(mount -> mount.length > 3 && holdsProcessors(mount, unified))
                .findFirst()
                .map(mount -> new Hierarchy(unified, places(Path.of(mount[1]), own, unified)));
    }

    private static boolean holdsProcessors(String[] mount, boolean unified) {
        return unified
                ? mount[2].equals("cgroup2")
                : mount[2].equals("cgroup") && List.of(COMMA.split(mount[3])).contains("cpu");
    }

    /// This process's own group, those above it, and the tree's root. Inside a container the own
    /// group's name may be the host's, which is not there.
    private static List<Path> places(Path mount, List<String> own, boolean unified) {
        LinkedHashSet<Path> places = new LinkedHashSet<>();
        for (String line : own) {
            String[] parts = COLON.split(line, 3);
            boolean meant =
                    unified
                            ? parts[0].equals("0")
                            : parts.length == 3 && List.of(COMMA.split(parts[1])).contains("cpu");
            if (meant) {
                @Nullable Path group = mount.resolve(parts[2].substring(1)).normalize();
                while (group != null && group.startsWith(mount)) {
                    places.add(group);
                    group = group.getParent();
                }
            }
        }
        places.add(mount);
        List<Path> there = new ArrayList<>(places);
        there.removeIf(place -> !Files.isDirectory(place));
        return there;
    }
}
