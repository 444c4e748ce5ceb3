/// Who is believed inside a cluster: whoever holds its secret.
///
/// A connection between processes of a cluster begins with a {@link
/// org.quiredb.common.trust.Handshake}: each side sends a nonce and proves, by a value derived from
/// the secret and both nonces, that it holds the secret; the same derivation gives each direction a
/// key. From then on every frame is encrypted and authenticated under that key with its number as
/// the nonce ({@link org.quiredb.common.trust.Seal}), so that a frame that was forged, altered,
/// left out, repeated or put elsewhere does not open, and the connection ends. A recording of one
/// connection is worth nothing on another, because the other side's nonce differs.
///
/// Invariant: without a secret a process listens on loopback addresses only ({@link
/// org.quiredb.common.trust.Trust}), and no connection has a handshake or pays for one.
///
/// Invariant: what a connection costs before it has proved the secret is bounded, in bytes by the
/// handshake's fixed lengths, in number and time by the {@link org.quiredb.common.trust.Anteroom}.
///
/// The secret is the only key: whoever gets it may read what was recorded before, and a holder may
/// do all that any other may. By example: HandshakeTest.
@NullMarked
package org.quiredb.common.trust;

import org.jspecify.annotations.NullMarked;
