package org.quiredb.node.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HierarchyTest {
    @TempDir private Path root;

    @Test
    void versionOneIsTakenWhereItHasTheProcessors() throws IOException {
        Path processors = Files.createDirectories(root.resolve("cpu,cpuacct"));
        List<String> mounts =
                List.of(
                        "cgroup2 %s cgroup2 rw 0 0".formatted(root.resolve("unified")),
                        "cgroup %s cgroup rw,cpuset 0 0".formatted(root.resolve("cpuset")),
                        "cgroup %s cgroup rw,relatime,cpu,cpuacct 0 0".formatted(processors));
        assertThat(Hierarchy.of(mounts, List.of("2:cpuset:/x", "1:cpu,cpuacct:/", "0::/")))
                .contains(new Hierarchy(false, List.of(processors)));
    }

    @Test
    void versionTwoBeginsAtTheOwnGroupAndGoesUp() throws IOException {
        Path own = Files.createDirectories(root.resolve("user.slice/session 1"));
        List<String> mounts = List.of("cgroup2 %s cgroup2 rw,nosuid 0 0".formatted(root));
        assertThat(Hierarchy.of(mounts, List.of("0::/user.slice/session 1")))
                .contains(new Hierarchy(true, List.of(own, root.resolve("user.slice"), root)));
    }

    @Test
    void aGroupWithTheHostsNameIsNotThereInAContainer() {
        List<String> mounts = List.of("cgroup2 %s cgroup2 rw 0 0".formatted(root));
        assertThat(Hierarchy.of(mounts, List.of("0::/docker/0123")))
                .contains(new Hierarchy(true, List.of(root)));
    }

    @Test
    void aSystemWithoutHasNone() {
        assertThat(Hierarchy.of(List.of("tmpfs /tmp tmpfs rw 0 0"), List.of())).isEmpty();
    }
}
