import ArgumentParser
import FolderControl
import FolderSettings
import StateStorage
import SyncService
import SystemPackage

struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Send, fetch and write nothing for now.",
        discussion: """
            A daemon that runs still watches the folder, so that `zonefolder status` tells what waits; nothing of it goes \
            out, and nothing comes in. Returns once what was under way is done, or after 10 s.

            A pause outlives the daemon, and begins with the next one where none runs. It ends with `zonefolder resume`, \
            or by itself after --for, whether a daemon ran meanwhile or not. A second pause changes the end of the first.

              zonefolder pause --for 1h30m
            """)

    @OptionGroup var folders: FolderArguments

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long: 90s, 30m, 1h, 2d, 1h30m. Without it: until resume.", valueName: "time"),
        transform: TimeSpan.init(argument:))
    var length: TimeSpan?

    @Flag(help: "Print one JSON object for each folder instead of text.")
    var json = false

    func run() async throws { try await folders.each(pause) }

    private func pause(_ directory: StateDirectory) async throws {
        // Its files are the outer folder's, which a pause of this one would not stop.
        if let outer = directory.outerFolder { throw StateError.nested(directory.folder, in: outer) }
        let outcome = try await FolderPausing.pause(directory, for: length?.duration)
        if json { return StandardOutput.print(try JSONText.pretty(outcome)) }
        let end = PauseText.end(outcome.untilMilliseconds, now: WallClock.now)
        StandardOutput.print("\(directory.folder) is paused \(end). \(PauseText.watch(outcome.isWatched ?? true))")
        if !outcome.isAtRest { StandardOutput.print("What was under way is brought to its end first.") }
        StandardOutput.print("→ \(PauseText.remedy(of: directory.folder.string))")
    }
}

/// Words about a pause.
enum PauseText {
    /// `until 2026-01-31 18:05:09, in 1 h`, or `until somebody resumes it`.
    static func end(_ milliseconds: Int64?, now: Int64) -> String {
        guard let milliseconds else { return "until you resume it" }
        return "until \(WallClock.text(milliseconds)), \(Amounts.wait(until: milliseconds, now: now))"
    }

    static func watch(_ isWatched: Bool) -> String {
        isWatched ? "It is still watched." : "No daemon watches it; one that is started keeps to the pause."
    }

    static func remedy(of folder: String) -> String {
        "zonefolder resume \(ShellWord.quoted(folder))"
    }
}
