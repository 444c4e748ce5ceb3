package org.quiredb.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Draws what a lab has measured.
///
/// A program: `Figures FILE FOLDER`, FILE as `quire lab failover --json` or `quire lab scaling
/// --json` wrote it.
final class Figures {
    private Figures() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            throw new IllegalArgumentException("Figures FILE FOLDER");
        }
        JsonNode measured = new ObjectMapper().readTree(Files.readString(Path.of(arguments[0])));
        Path folder = Path.of(arguments[1]);
        if (measured.has("kills")) {
            FailoverFigure.write(measured, folder);
        } else if (measured.has("ratio")) {
            ScalingFigure.write(measured, folder);
        } else {
            throw new IllegalArgumentException(
                    arguments[0] + " is of no lab that there is a figure for: failover, scaling");
        }
    }
}
