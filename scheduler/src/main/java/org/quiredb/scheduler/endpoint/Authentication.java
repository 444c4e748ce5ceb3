package org.quiredb.scheduler.endpoint;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Optional;
import org.quiredb.common.mysql.PacketWriter;
import org.quiredb.scheduler.account.Account;
import org.quiredb.scheduler.account.Accounts;
import org.quiredb.scheduler.account.PasswordVerifier;
import org.quiredb.scheduler.account.Proofs;
import org.quiredb.scheduler.account.Secret;

/// Lets a client prove that it knows its account's password.
///
/// A client that begins by another method than the account's is asked to switch to it. Whoever has
/// no account is asked the same as who has one.
///
/// Threads: owned by the connection's thread.
final class Authentication {
    private static final byte[] FAST_IS_RIGHT = {1, 3};
    private static final byte[] FULL_IS_NEEDED = {1, 4};
    private static final int SHA1_BYTES = 20;

    /// The hash of no password that anybody has.
    private static final PasswordVerifier NOBODY = new PasswordVerifier.NativeHash(random());

    private final ClientChannel channel;
    private final Accounts accounts;
    private final byte[] nonce;
    private final boolean secure;
    private final String method;
    private byte[] proof;

    /// @param method by which the client has begun, empty when it has not
    /// @param secure whether nobody else can read what it sends
    Authentication(
            ClientChannel channel,
            Accounts accounts,
            byte[] nonce,
            boolean secure,
            String method,
            byte[] proof) {
        this.channel = channel;
        this.accounts = accounts;
        this.nonce = nonce;
        this.secure = secure;
        this.method = method;
        this.proof = proof;
    }

    private static byte[] random() {
        byte[] bytes = new byte[SHA1_BYTES];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    /// Whether the client has sent a password, right or wrong.
    boolean usedPassword() {
        return proof.length > 0;
    }

    /// Empty when it was wrong.
    Optional<Secret> prove(Optional<Account> account) {
        return switch (account.map(Account::verifier).orElse(NOBODY)) {
            case PasswordVerifier.Known known -> known(known.password());
            case PasswordVerifier.NativeHash hash -> nativeHash(hash.doubleHash());
            case PasswordVerifier.Sha2Hash(String hash) -> sha2(account.orElseThrow(), hash);
            case PasswordVerifier.Other _ -> {
                ask(Proofs.NATIVE);
                yield Optional.empty();
            }
        };
    }

    private Optional<Secret> known(String password) {
        String chosen = method.equals(Proofs.CACHING_SHA2) ? method : Proofs.NATIVE;
        ask(chosen);
        if (!Proofs.proved(chosen, password, nonce, proof)) {
            return Optional.empty();
        }
        if (chosen.equals(Proofs.CACHING_SHA2) && proof.length > 0) {
            channel.send(FAST_IS_RIGHT);
        }
        return Optional.of(new Secret.Own());
    }

    private Optional<Secret> nativeHash(byte[] doubleHash) {
        ask(Proofs.NATIVE);
        if (doubleHash.length == 0) {
            return withoutPassword();
        }
        return Proofs.nativeHash(doubleHash, nonce, proof).map(Secret.NativeHash::new);
    }

    private Optional<Secret> withoutPassword() {
        return proof.length == 0 ? Optional.of(new Secret.Password("")) : Optional.empty();
    }

    private Optional<Secret> sha2(Account account, String hash) {
        ask(Proofs.CACHING_SHA2);
        if (hash.isEmpty() || proof.length == 0) {
            return hash.isEmpty() ? withoutPassword() : Optional.empty();
        }
        Optional<String> remembered =
                accounts.remembered(account)
                        .filter(password ->
                                Proofs.proved(Proofs.CACHING_SHA2, password, nonce, proof));
        if (remembered.isPresent()) {
            channel.send(FAST_IS_RIGHT);
            return remembered.map(Secret.Password::new);
        }
        channel.send(FULL_IS_NEEDED);
        String password = secure ? text(channel.take().payload()) : decrypted();
        return accounts.admits(account, password)
                ? Optional.of(new Secret.Password(password))
                : Optional.empty();
    }

    /// Without TLS a client sends the password encrypted by a key that it asks for, if it does not
    /// have it.
    private String decrypted() {
        byte[] answer = channel.take().payload();
        if (answer.length == 1 && answer[0] == PasswordKey.ASKED) {
            channel.send(PasswordKey.get().answer());
            answer = channel.take().payload();
        }
        return text(PasswordKey.get().decrypt(answer, nonce));
    }

    /// It ends with a zero.
    private static String text(byte[] password) {
        int length = password.length;
        while (length > 0 && password[length - 1] == 0) {
            length--;
        }
        return new String(password, 0, length, StandardCharsets.UTF_8);
    }

    private void ask(String wanted) {
        if (method.equals(wanted)) {
            return;
        }
        channel.send(
                new PacketWriter()
                        .int1(0xFE)
                        .nullTerminated(wanted)
                        .raw(nonce)
                        .int1(0)
                        .toByteArray());
        proof = channel.take().payload();
    }

    /// Whether the account may be used as the client came, once it has proved to be that.
    static boolean mayCome(Account account, boolean overTls) {
        return switch (account.transport()) {
            case ANY -> true;
            case TLS -> overTls;
            case CERTIFICATE -> false;
        };
    }
}
