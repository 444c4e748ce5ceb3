package org.quiredb.scheduler.fallback.connection;

import com.mysql.cj.callback.MysqlCallbackHandler;
import com.mysql.cj.protocol.AuthenticationPlugin;
import com.mysql.cj.protocol.Protocol;
import com.mysql.cj.protocol.a.NativeConstants.StringSelfDataType;
import com.mysql.cj.protocol.a.NativePacketPayload;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.scheduler.account.Proofs;

/// Logs in by mysql_native_password with the hash of a password in place of the password, which
/// nobody but the client has.
///
/// The driver makes one for each connection, by the name of this class.
public final class HashedPassword implements AuthenticationPlugin<NativePacketPayload> {
    private static final int NONCE_BYTES = 20;

    private byte[] hash = {};

    @Override
    public void init(Protocol<NativePacketPayload> protocol, MysqlCallbackHandler handler) {
        // It needs neither.
    }

    @Override
    public String getProtocolPluginName() {
        return Proofs.NATIVE;
    }

    @Override
    public boolean requiresConfidentiality() {
        return false;
    }

    @Override
    public boolean isReusable() {
        return true;
    }

    /// @param password the hash, in hexadecimal
    @Override
    public void setAuthenticationParameters(String user, @Nullable String password) {
        hash = password == null ? new byte[0] : HexFormat.of().parseHex(password);
    }

    @Override
    public boolean nextAuthenticationStep(
            NativePacketPayload fromServer, List<NativePacketPayload> toServer) {
        byte[] nonce = fromServer.readBytes(StringSelfDataType.STRING_TERM);
        if (nonce.length < NONCE_BYTES) {
            throw new IllegalStateException(
                    "a challenge of %d bytes: %s"
                            .formatted(nonce.length, new String(nonce, StandardCharsets.US_ASCII)));
        }
        toServer.clear();
        toServer.add(
                new NativePacketPayload(
                        Proofs.nativeProof(hash, Arrays.copyOf(nonce, NONCE_BYTES))));
        return true;
    }
}
