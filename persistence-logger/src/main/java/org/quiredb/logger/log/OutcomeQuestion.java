package org.quiredb.logger.log;

import java.sql.SQLException;
import java.util.List;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.writeset.CommitRecord;

/// Whether a transaction is committed, once nothing of its class is under way.
///
/// A log that has everything since the transaction began and does not have the transaction shows
/// that it is not committed. A shorter one shows nothing.
public record OutcomeQuestion(LoggerRequest.FindTransaction asked) {
    public LoggerReply answer(LogTables log) throws SQLException {
        List<CommitRecord> records = log.find(asked.conflictClass(), asked.transactionId());
        // Looked up last: what the log forgets meanwhile counts as forgotten.
        return records.isEmpty() && log.forgottenUpTo(asked.conflictClass()) > asked.after()
                ? new LoggerReply.Forgotten()
                : new LoggerReply.Found(records);
    }
}
