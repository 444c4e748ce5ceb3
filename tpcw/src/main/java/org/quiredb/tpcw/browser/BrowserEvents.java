package org.quiredb.tpcw.browser;

import java.sql.SQLException;
import org.quiredb.tpcw.interaction.InteractionType;

/// Is told what browsers experience. Calls come from many threads at once.
public interface BrowserEvents {

    /// An interaction was answered.
    ///
    /// @param updates how many update transactions it committed
    /// @param reads how many read-only transactions it committed
    /// @param retries how many transactions of it were run again
    void answered(InteractionType type, long nanos, long updates, long reads, long retries);

    /// An interaction, or the attempt to connect for it, failed for good.
    void failed(InteractionType type, SQLException failure, long retries);
}
