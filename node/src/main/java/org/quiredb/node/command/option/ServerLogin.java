package org.quiredb.node.command.option;

import picocli.CommandLine.Option;

/// The MySQL server that a command talks to, and as whom.
public final class ServerLogin {
    @Option(
            names = "--url",
            description = "JDBC URL of any MySQL server (default: ${DEFAULT-VALUE})",
            defaultValue = "jdbc:mysql://127.0.0.1:3307/tpcw")
    String url = "";

    @Option(names = "--user", description = "default: ${DEFAULT-VALUE}", defaultValue = "quire")
    public String user = "";

    @Option(names = "--password", description = "default: ${DEFAULT-VALUE}", defaultValue = "quire")
    public String password = "";

    /// The URL with the database created by the driver when it is not there.
    public String creatingUrl() {
        return url + (url.contains("?") ? "&" : "?") + "createDatabaseIfNotExist=true";
    }
}
