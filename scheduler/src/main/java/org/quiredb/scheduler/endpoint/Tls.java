package org.quiredb.scheduler.endpoint;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.account.Proofs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The server's side of TLS.
///
/// Threads: any.
final class Tls {
    private static final Logger LOG = LoggerFactory.getLogger(Tls.class);

    private final SslContext context;
    private final byte[] certificate;

    private Tls(SslContext context, X509Certificate certificate) throws GeneralSecurityException {
        this.context = context;
        this.certificate = certificate.getEncoded();
    }

    /// @throws QuireException when the files are not there, or are not a certificate and its key
    static Tls of(TlsSettings settings) {
        try {
            Path file = settings.certificateFile();
            Path key = settings.keyFile();
            return file == null || key == null ? generated() : read(file, key);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "no TLS with scheduler.tls.certificateFile and keyFile: " + e.getMessage(),
                    e);
        }
    }

    private static Tls read(Path file, Path key) throws IOException, GeneralSecurityException {
        SslContext context = complete(SslContextBuilder.forServer(file.toFile(), key.toFile()));
        try (var in = Files.newInputStream(file)) {
            return new Tls(
                    context,
                    (X509Certificate)
                            CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
    }

    private static Tls generated() throws IOException, GeneralSecurityException {
        SelfSigned made = SelfSigned.of("Quire", Instant.now());
        LOG.info(
                "no certificate is configured for MySQL clients: made one for this start,"
                        + " which vouches for itself (scheduler.tls.certificateFile, keyFile)");
        return new Tls(
                complete(SslContextBuilder.forServer(made.key(), made.certificate())),
                made.certificate());
    }

    private static SslContext complete(SslContextBuilder builder) throws IOException {
        return builder.sslProvider(SslProvider.JDK).protocols("TLSv1.3", "TLSv1.2").build();
    }

    SslHandler handler(ByteBufAllocator allocator) {
        return new Once(context.newEngine(allocator));
    }

    /// Ends a connection whose client begins a second handshake, as TLS 1.2 lets it do over and
    /// over, at a hundred times the server's cost. (In TLS 1.3 no such record comes.)
    private static final class Once extends SslHandler {
        private static final int HANDSHAKE = 22;

        Once(SSLEngine engine) {
            super(engine);
        }

        /// Invariant: it is given what begins with a record.
        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
                throws SSLException {
            boolean again = in.isReadable() && in.getByte(in.readerIndex()) == HANDSHAKE;
            if (again && handshakeFuture().isSuccess()) {
                in.skipBytes(in.readableBytes());
                var _ = context.close();
            } else {
                super.decode(context, in, out);
            }
        }
    }

    /// What proves to a client of MariaDB 11.4 that the certificate, whoever signed it, is of a
    /// server that knows the account's password. It is the information of the OK that ends a login.
    ///
    /// @param passwordHash as the server has it
    String vouch(byte[] passwordHash, byte[] nonce) {
        byte[] proof =
                Proofs.hash(
                        Proofs.CACHING_SHA2,
                        passwordHash,
                        nonce,
                        Proofs.hash(Proofs.CACHING_SHA2, certificate));
        return "\1" + java.util.HexFormat.of().formatHex(proof).toUpperCase(Locale.ROOT);
    }
}
