package org.quiredb.scheduler.account;

/// A client that has proved who it is.
///
/// @param clientHost its address
public record Login(Account account, String clientHost, Secret secret) {
    /// As error messages name it.
    public String name() {
        return "'%s'@'%s'".formatted(account.user(), clientHost);
    }
}
