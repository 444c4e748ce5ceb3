package org.quiredb.node.terminal;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.LoggerFactory;

/// The log of a command whose roles run in its own process: DATA/quire.log, at most 10 MB, and the
/// 10 MB before as quire.log.1.
///
/// Threads: any.
public final class Logs {
    private static final String PATTERN =
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSS'Z', UTC} %-5level [%thread] %logger{24}: %msg%n";
    private static final long LARGEST_BYTES = 10 * FileSize.MB_COEFFICIENT;

    private final Path file;
    private final Count count = new Count();

    private Logs(Path file) {
        this.file = file;
    }

    /// From now on the log goes there, and no longer to standard error unless that is wished too.
    ///
    /// @param folder is made when it is not there
    public static Logs toFile(Path folder, boolean verbose) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        Logs logs = new Logs(folder.resolve("quire.log"));
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make %s for the log".formatted(folder), e);
        }
        RollingFileAppender<ILoggingEvent> appender = logs.appender(context);
        if (!verbose) {
            root.detachAndStopAllAppenders();
        }
        root.addAppender(appender);
        logs.count.setContext(context);
        logs.count.start();
        root.addAppender(logs.count);
        return logs;
    }

    private RollingFileAppender<ILoggingEvent> appender(LoggerContext context) {
        RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
        appender.setContext(context);
        appender.setFile(file.toString());
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        appender.setEncoder(encoder);
        FixedWindowRollingPolicy window = new FixedWindowRollingPolicy();
        window.setContext(context);
        window.setParent(appender);
        window.setMinIndex(1);
        window.setMaxIndex(1);
        window.setFileNamePattern(file + ".%i");
        window.start();
        appender.setRollingPolicy(window);
        SizeBasedTriggeringPolicy<ILoggingEvent> size = new SizeBasedTriggeringPolicy<>();
        size.setContext(context);
        size.setMaxFileSize(new FileSize(LARGEST_BYTES));
        size.start();
        appender.setTriggeringPolicy(size);
        appender.start();
        return appender;
    }

    public Path file() {
        return file;
    }

    /// What a person may want to look at: warnings and errors since the log was begun.
    public long warnings() {
        return count.warnings.sum();
    }

    private static final class Count extends AppenderBase<ILoggingEvent> {
        private final LongAdder warnings = new LongAdder();

        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
                warnings.increment();
            }
        }
    }
}
