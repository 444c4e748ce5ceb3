package org.quiredb.node.cluster;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// How a program is run with the same Java, class path and options as this process.
public final class JavaCommand {
    /// By its name, as it knows every command, and those know what runs processes.
    private static final String QUIRE = "org.quiredb.node.Quire";

    private JavaCommand() {}

    /// @param options of Java, beside those of this process
    /// @param arguments of `quire`
    public static List<String> quire(List<String> options, List<String> arguments) {
        return of(QUIRE, options, arguments);
    }

    /// @param program a class with a main method
    public static List<String> of(Class<?> program, List<String> options, List<String> arguments) {
        return of(program.getName(), options, arguments);
    }

    private static List<String> of(String program, List<String> options, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(JavaCommand::inherited)
                .forEach(command::add);
        command.addAll(options);
        command.add("-cp");
        command.add(absolute(System.getProperty("java.class.path")));
        command.add(program);
        command.addAll(arguments);
        return command;
    }

    /// Not the size of the heap, and no agent: a debugger's port is taken, a profile written once.
    private static boolean inherited(String option) {
        return !option.startsWith("-Xm")
                && !option.startsWith("-XX:MaxRAM")
                && !option.startsWith("-XX:InitialRAM")
                && !option.startsWith("-javaagent:")
                && !option.startsWith("-agent");
    }

    private static String absolute(String classPath) {
        List<String> entries = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            entries.add(new File(entry).getAbsolutePath());
        }
        return String.join(File.pathSeparator, entries);
    }
}
