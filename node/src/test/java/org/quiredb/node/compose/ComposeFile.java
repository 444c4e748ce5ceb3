package org.quiredb.node.compose;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What docker-compose.yml says of its services, with every variable at its default, and a value
/// for each that has none.
final class ComposeFile {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z0-9_]+):([-?])([^}]*)}");

    /// What its user has to set.
    static final Map<String, String> REQUIRED =
            Map.of("QUIRE_SECRET", "a secret that only this tier holds");

    /// @param image `quire` or somebody else's
    /// @param dependsOn services that must be healthy before this one starts
    /// @param healthTest the words after CMD, none where the image's own check holds
    record Service(
            String name,
            String image,
            List<String> command,
            Map<String, String> environment,
            List<String> dependsOn,
            List<String> healthTest) {}

    private final List<Service> services;

    private ComposeFile(List<Service> services) {
        this.services = services;
    }

    static ComposeFile read(Path file) throws IOException {
        List<Service> services = new ArrayList<>();
        new YAMLMapper()
                .readTree(file.toFile())
                .get("services")
                .properties()
                .forEach(entry -> services.add(service(entry.getKey(), entry.getValue())));
        return new ComposeFile(services);
    }

    /// In the order of the file.
    List<Service> services() {
        return services;
    }

    private static Service service(String name, JsonNode node) {
        Map<String, String> environment = new LinkedHashMap<>();
        node.path("environment")
                .properties()
                .forEach(entry ->
                        environment.put(entry.getKey(), interpolated(entry.getValue().asText())));
        List<String> dependsOn = new ArrayList<>();
        node.path("depends_on").fieldNames().forEachRemaining(dependsOn::add);
        List<String> test = texts(node.path("healthcheck").path("test"));
        return new Service(
                name,
                node.get("image").asText(),
                texts(node.path("command")),
                environment,
                dependsOn,
                test.isEmpty() ? test : test.subList(1, test.size()));
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(item -> texts.add(interpolated(item.asText())));
        return texts;
    }

    private static String value(MatchResult variable) {
        return variable.group(2).equals("-")
                ? variable.group(3)
                : Optional.ofNullable(REQUIRED.get(variable.group(1))).orElseThrow();
    }

    private static String interpolated(String text) {
        return VARIABLE.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(value(found)))
                .replace("$$", "$");
    }
}
