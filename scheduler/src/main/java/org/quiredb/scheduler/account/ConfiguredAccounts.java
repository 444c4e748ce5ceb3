package org.quiredb.scheduler.account;

import java.util.Optional;

/// The one account of the configuration.
public final class ConfiguredAccounts implements Accounts {
    private final Account account;

    public ConfiguredAccounts(String user, String password) {
        account = Account.ofConfiguration(user, password);
    }

    @Override
    public Optional<Account> find(String user, String clientHost) {
        return Optional.of(account).filter(known -> known.user().equals(user));
    }

    /// Not needed: the password is known.
    @Override
    public Optional<String> remembered(Account account) {
        return Optional.empty();
    }

    @Override
    public boolean admits(Account account, String password) {
        return false;
    }
}
