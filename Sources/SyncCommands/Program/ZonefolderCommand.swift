public import ArgumentParser
import FolderControl
import SyncService

/// The program `zonefolder`: its subcommands, and how it ends.
public struct ZonefolderCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "zonefolder",
        abstract: "A folder that is a CloudKit record zone: what is in one is in the other.",
        discussion: """
            Results go to standard output, progress and errors to standard error. The help of each command ends \
            with its exit statuses.

            Try it without an account: zonefolder demo
            """,
        version: ProgramVersion.current,
        groupedSubcommands: [
            CommandGroup(
                name: "Set up",
                subcommands: [
                    InitCommand.self, LoginCommand.self, LogoutCommand.self, ServeCommand.self, SchemaCommand.self,
                    DemoCommand.self, ConfigCommand.self, ResetCommand.self, RemoveCommand.self,
                ]),
            CommandGroup(
                name: "Sync",
                subcommands: [
                    StartCommand.self, StopCommand.self, RunCommand.self, SyncCommand.self, PauseCommand.self,
                    ResumeCommand.self,
                ]),
            CommandGroup(
                name: "Look",
                subcommands: [
                    StatusCommand.self, PlanCommand.self, ConflictsCommand.self, ResolveCommand.self,
                    EventsCommand.self, IgnoreCommand.self, DoctorCommand.self, MetricsCommand.self,
                ]),
            CommandGroup(
                name: "Undo",
                subcommands: [
                    HistoryCommand.self, DiffCommand.self, RestoreCommand.self, ApproveCommand.self, RejectCommand.self,
                ]),
            CommandGroup(name: "Share", subcommands: [ShareCommand.self, AcceptCommand.self]),
            CommandGroup(
                name: "Ask the database",
                subcommands: [
                    RecordCommand.self, QueryCommand.self, ZonesCommand.self, SubscriptionsCommand.self,
                ]),
        ])

    /// The program without arguments, which shows its help.
    public init() {}

    /// Runs the command that the process was started with, and ends the process with its exit status.
    public static func runProgram() async -> Never {
        do {
            try UnknownCommand.check(Array(CommandLine.arguments.dropFirst()))
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            ExitStatus.done.endProcess()
        } catch {
            let status = ExitStatus(of: error)
            if let text = message(of: error), !text.isEmpty {
                if status == .done { StandardOutput.print(text) } else { StandardError.print(text) }
            }
            status.endProcess()
        }
    }

    /// Says on standard error what a command failed with that goes on.
    static func say(_ error: any Error) {
        if let text = message(of: error), !text.isEmpty { StandardError.print(text) }
    }

    /// What is said of an error; `nil` where the command has said everything.
    private static func message(of error: any Error) -> String? {
        switch error {
        case is ExitStatus, is ExitCode, is CancellationError: nil
        case _ where ExitStatus.isParsersOwn(error): ExitStatusTable.completing(fullMessage(for: error))
        // The command ends with it.
        default: "zonefolder: \(CommandFailure.once("\(error)"))"
        }
    }
}
