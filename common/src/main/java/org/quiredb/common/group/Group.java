package org.quiredb.common.group;

import java.util.List;

/// The replicas' group: reliable multicast, FIFO per sender, and who is in it.
///
/// A message multicast after a member appeared in the sender's view reaches that member.
public interface Group extends AutoCloseable {
    /// Sends to every member, this one included. Blocks while the group's flow control holds the
    /// sender back.
    void multicast(byte[] message);

    /// Sends to one member by name; a member that is not there gets nothing.
    void send(String member, byte[] message);

    /// The members of the current view by name, the oldest first.
    List<String> members();

    /// Takes leave.
    @Override
    void close();

    /// Closes the sockets without taking leave, as a process that is killed.
    void vanish();

    /// Called on the group's own threads: one message of a sender after the other, so it must be
    /// quick.
    interface Listener {
        void received(String from, byte[] message);

        void membersChanged(List<String> members);
    }
}
