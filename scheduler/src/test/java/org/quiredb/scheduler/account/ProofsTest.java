package org.quiredb.scheduler.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class ProofsTest {
    private static final byte[] NONCE = new byte[20];

    static {
        for (int i = 0; i < NONCE.length; i++) {
            NONCE[i] = (byte) (i + 1);
        }
    }

    /// As MySQL's manual gives it for PASSWORD('mypass').
    private static final byte[] DOUBLE_HASH = bytes("6C8989366EAF75BB670AD8EA7A7FC1176A95CEF4");

    private static final byte[] NATIVE_PROOF = bytes("ed2eba38550227c10a0f63ba68b3891be927d122");
    private static final byte[] SHA2_PROOF =
            bytes("011563879f86b7f170acccb351695fc0c8bdd5951b3d5b2139fc249cb74938a4");

    private static byte[] bytes(String hexadecimal) {
        return HexFormat.of().parseHex(hexadecimal);
    }

    @Test
    void whatTheBackendKeepsIsTheHashOfTheHash() {
        assertThat(Proofs.doubleHash("mypass")).isEqualTo(DOUBLE_HASH);
        assertThat(Proofs.doubleHash("")).isEmpty();
    }

    @Test
    void aKnownPasswordIsProvedByEitherMethod() {
        assertThat(Proofs.proved(Proofs.NATIVE, "mypass", NONCE, NATIVE_PROOF)).isTrue();
        assertThat(Proofs.proved(Proofs.CACHING_SHA2, "mypass", NONCE, SHA2_PROOF)).isTrue();
        assertThat(Proofs.proved(Proofs.NATIVE, "other", NONCE, NATIVE_PROOF)).isFalse();
        assertThat(Proofs.proved(Proofs.CACHING_SHA2, "other", NONCE, SHA2_PROOF)).isFalse();
        assertThat(Proofs.proved(Proofs.NATIVE, "mypass", NONCE, SHA2_PROOF)).isFalse();
        assertThat(Proofs.proved(Proofs.NATIVE, "mypass", NONCE, new byte[0])).isFalse();
    }

    @Test
    void noPasswordIsProvedByNothingOnly() {
        assertThat(Proofs.proved(Proofs.NATIVE, "", NONCE, new byte[0])).isTrue();
        assertThat(Proofs.proved(Proofs.NATIVE, "", NONCE, NATIVE_PROOF)).isFalse();
    }

    @Test
    void aProofGivesWhatTheNextOneIsMadeOf() {
        byte[] once = Proofs.nativeHash(DOUBLE_HASH, NONCE, NATIVE_PROOF).orElseThrow();
        byte[] otherNonce = new byte[20];

        assertThat(Proofs.nativeProof(once, NONCE)).isEqualTo(NATIVE_PROOF);
        assertThat(
                        Proofs.proved(
                                Proofs.NATIVE,
                                "mypass",
                                otherNonce,
                                Proofs.nativeProof(once, otherNonce)))
                .isTrue();
    }

    @Test
    void aProofOfAnotherPasswordOrChallengeGivesNothing() {
        byte[] wrong = NATIVE_PROOF.clone();
        wrong[0] ^= 1;

        assertThat(Proofs.nativeHash(DOUBLE_HASH, NONCE, wrong)).isEmpty();
        assertThat(Proofs.nativeHash(DOUBLE_HASH, new byte[20], NATIVE_PROOF)).isEmpty();
        assertThat(Proofs.nativeHash(DOUBLE_HASH, NONCE, new byte[0])).isEmpty();
        assertThat(Proofs.nativeHash(DOUBLE_HASH, NONCE, SHA2_PROOF)).isEmpty();
    }
}
