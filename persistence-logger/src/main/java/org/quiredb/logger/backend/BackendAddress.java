package org.quiredb.logger.backend;

/// Where a backend is and who the logger is there: an account that may create databases and tables.
///
/// @param url a Connector/J URL, `jdbc:mysql://host:port/`
public record BackendAddress(String url, String user, String password) {
    public BackendAddress {
        if (!url.startsWith("jdbc:mysql:")) {
            throw new IllegalArgumentException(
                    "backend URL " + url + " must begin with jdbc:mysql: (MariaDB too)");
        }
    }

    /// `host:port`, which tells backends apart.
    public String name() {
        int from = url.indexOf("//") + 2;
        int to = from;
        while (to < url.length() && "/?".indexOf(url.charAt(to)) < 0) {
            to++;
        }
        return url.substring(from, to);
    }

    /// Without the password, which must not reach a log.
    @Override
    public String toString() {
        return user + " at " + url;
    }
}
