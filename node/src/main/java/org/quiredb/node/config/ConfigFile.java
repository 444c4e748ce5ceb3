package org.quiredb.node.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads and writes {@link ProcessConfig} as YAML.
public final class ConfigFile {
    private static final ObjectMapper YAML =
            Defaults.register(
                    YAMLMapper.builder(
                                    YAMLFactory.builder()
                                            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                                            .build())
                            .addModule(
                                    new SimpleModule()
                                            .addSerializer(
                                                    Path.class, new ToStringSerializer(Path.class)))
                            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
                            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                            .defaultPropertyInclusion(
                                    JsonInclude.Value.construct(
                                            JsonInclude.Include.NON_EMPTY,
                                            JsonInclude.Include.ALWAYS))
                            .build());

    private ConfigFile() {}

    /// @throws ConfigException when the file is missing or wrong; says where and what to do
    public static ProcessConfig read(Path file) {
        return read(file, System::getenv);
    }

    static ProcessConfig read(Path file, Function<String, @Nullable String> environment) {
        String text;
        try {
            text = Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new ConfigException(file + ": there is no such file", e);
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e.getMessage(), e);
        }
        try (JsonParser keys = YAML.createParser(text);
                JsonParser values =
                        new ExpandingParser(
                                YAML.createParser(text), new Environment(environment))) {
            KnownKeys.firstUnknown(keys, ProcessConfig.class)
                    .ifPresent(unknown -> refuse(file, unknown));
            return YAML.readValue(values, ProcessConfig.class);
        } catch (JsonProcessingException e) {
            throw new ConfigException(file + Mistakes.line(e) + ": " + Mistakes.describe(e), e);
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private static void refuse(Path file, KnownKeys.Unknown unknown) {
        throw new ConfigException(
                "%s line %d: unknown key %s; the nearest known key is %s"
                        .formatted(file, unknown.line(), unknown.key(), unknown.nearest()));
    }

    public static void write(Path file, ProcessConfig config) throws IOException {
        YAML.writeValue(file.toFile(), config);
    }
}
