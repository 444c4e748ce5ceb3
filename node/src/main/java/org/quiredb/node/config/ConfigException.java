package org.quiredb.node.config;

/// A configuration that cannot be used; the message is one sentence for the person who wrote it.
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ConfigException(String message) {
        super(message);
    }

    public ConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
