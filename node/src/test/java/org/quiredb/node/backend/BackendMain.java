package org.quiredb.node.backend;

import java.nio.file.Path;

/// A process with an embedded backend, until its input ends.
final class BackendMain {
    static final String UP = "the backend is up";

    private BackendMain() {}

    /// @param arguments the folder, the port
    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[1]);
        try (EmbeddedBackend backend =
                EmbeddedBackend.start(Path.of(arguments[0]), port, "quire", "quire")) {
            System.out.println(UP + " at " + backend.port());
            while (System.in.read() >= 0) {
                // to its end
            }
        }
    }
}
