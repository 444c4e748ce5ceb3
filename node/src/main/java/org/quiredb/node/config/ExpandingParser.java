package org.quiredb.node.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import com.fasterxml.jackson.databind.JsonMappingException;
import java.io.IOException;

/// A parser whose string values have their environment variables expanded, so that a value can hold
/// any character without a way to change the structure of the file.
final class ExpandingParser extends JsonParserDelegate {
    private final Environment environment;

    ExpandingParser(JsonParser delegate, Environment environment) {
        super(delegate);
        this.environment = environment;
    }

    @Override
    public String getText() throws IOException {
        String text = super.getText();
        if (currentToken() != JsonToken.VALUE_STRING) {
            return text;
        }
        try {
            return environment.expand(text);
        } catch (ConfigException e) {
            throw new JsonMappingException(this, e.getMessage(), e);
        }
    }

    @Override
    public String getValueAsString() throws IOException {
        return currentToken() == JsonToken.VALUE_STRING ? getText() : super.getValueAsString();
    }

    @Override
    public String getValueAsString(String otherwise) throws IOException {
        return currentToken() == JsonToken.VALUE_STRING
                ? getText()
                : super.getValueAsString(otherwise);
    }
}
