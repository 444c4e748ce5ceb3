package org.quiredb.tpcw.random;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DigSylTest {

    @Test
    void writesEachDigitAsASyllable() {
        assertThat(DigSyl.of(1234567890, 0)).isEqualTo("OGALRIRESEATULINNGBA");
    }

    @Test
    void padsWithZerosOnTheLeft() {
        assertThat(DigSyl.of(12, 4)).isEqualTo("BABAOGAL");
        assertThat(DigSyl.key(7)).isEqualTo("BABABABABABAUL");
    }

    @Test
    void doesNotCutWhatIsLonger() {
        assertThat(DigSyl.of(123, 2)).isEqualTo("OGALRI");
    }

    @Test
    void makesNameAndPasswordOfACustomer() {
        assertThat(DigSyl.userName(305)).isEqualTo("RIBASE");
        assertThat(DigSyl.password(305)).isEqualTo("ribase");
    }
}
