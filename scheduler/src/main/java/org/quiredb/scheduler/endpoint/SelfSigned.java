package org.quiredb.scheduler.endpoint;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// A certificate that vouches for itself, and its key: enough to encrypt, and for who pins it.
///
/// An elliptic key takes a millisecond to make, one of RSA a second. The JDK has no interface to
/// make a certificate, which is a handful of nested values: the rest is here.
///
/// Source: RFC 5280, section 4.1; X.690 for how a value is written.
record SelfSigned(X509Certificate certificate, PrivateKey key) {
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int UTF8_STRING = 0x0C;
    private static final int GENERALIZED_TIME = 0x18;

    private static final byte[] ECDSA_WITH_SHA256 = {
        0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 4, 3, 2
    };
    private static final byte[] COMMON_NAME = {0x55, 4, 3};
    private static final long DAY_SECONDS = 86_400;
    private static final long VALID_DAYS = 3_650;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    static SelfSigned of(String name, Instant now) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            byte[] algorithm = value(SEQUENCE, value(OBJECT_IDENTIFIER, ECDSA_WITH_SHA256));
            byte[] subject = subject(name);
            byte[] signed =
                    value(
                            SEQUENCE,
                            value(INTEGER, new BigInteger(63, new SecureRandom()).toByteArray()),
                            algorithm,
                            subject,
                            value(
                                    SEQUENCE,
                                    time(now.minusSeconds(DAY_SECONDS)), // their clock may be late
                                    time(now.plusSeconds(VALID_DAYS * DAY_SECONDS))),
                            subject,
                            pair.getPublic().getEncoded());
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(pair.getPrivate());
            signature.update(signed);
            byte[] whole = value(SEQUENCE, signed, algorithm, bits(signature.sign()));
            return new SelfSigned(
                    (X509Certificate)
                            CertificateFactory.getInstance("X.509")
                                    .generateCertificate(new ByteArrayInputStream(whole)),
                    pair.getPrivate());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK can make a P-256 key and sign by it", e);
        }
    }

    private static byte[] subject(String name) {
        byte[] text = value(UTF8_STRING, name.getBytes(StandardCharsets.UTF_8));
        return value(
                SEQUENCE, value(SET, value(SEQUENCE, value(OBJECT_IDENTIFIER, COMMON_NAME), text)));
    }

    private static byte[] time(Instant instant) {
        return value(GENERALIZED_TIME, TIME.format(instant).getBytes(StandardCharsets.US_ASCII));
    }

    /// Of whole bytes, so no bit of the last one is unused.
    private static byte[] bits(byte[] content) {
        return value(BIT_STRING, new byte[1], content);
    }

    private static byte[] value(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(tag);
        int length = content.size();
        if (length > 0xFF) {
            whole.write(0x82);
            whole.write(length >> 8);
        } else if (length > 0x7F) {
            whole.write(0x81);
        }
        whole.write(length);
        whole.writeBytes(content.toByteArray());
        return whole.toByteArray();
    }
}
