import ArgumentParser
import FolderHistory
import SyncModel
import SyncService

struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show which earlier versions of files can be restored.",
        discussion: """
            A line for each, the newest first: until when it stood there, what took its place, its size and its path. \
            `zonefolder restore PATH --at TIME` brings back the version of a line, `zonefolder diff` compares it with \
            the file. Where several of one file went in one second, the times have three digits more that tell which. Kept \
            for `history_days` of config.toml. What is kept of a file or a folder under a name that it had before is listed \
            under that, which is told. Of a path of which nothing is known at all, that is an error: exit status 1. \
            Changes nothing, and needs no daemon.

            Example:
              zonefolder history Note/todo.json
            """)

    @OptionGroup var folder: FolderArgument

    @Flag(help: "Print one JSON array instead of text.")
    var json = false

    func run() async throws {
        let place = try VersionedPath(folder)
        let lines = try KeptVersions(of: place.stateDirectory, atOrBelow: place.path).all.map { VersionLine($0) }
        if lines.isEmpty { try KnownPath.check(place.path, in: place.stateDirectory) }
        let areTight = Set(lines.map { [$0.path, "\($0.untilMilliseconds / 1000)"] }).count < lines.count
        if json { return StandardOutput.print(try JSONText.pretty(lines)) }
        for line in lines { StandardOutput.print(line.text(withMilliseconds: areTight)) }
        if let former = FormerNames.sentences(on: place) {
            StandardError.print("zonefolder: \(former)")
        } else if lines.isEmpty, StandardError.isTerminal {
            StandardError.print("Nothing is kept of \(place.shown).")
        }
    }
}

/// A kept version as `history` shows it; its JSON form is `history --json`.
struct VersionLine: Encodable {
    var path: String
    /// Until when it stood there.
    var untilMilliseconds: Int64
    /// When its bytes were written.
    var writtenMilliseconds: Int64
    var sizeBytes: Int64
    /// What took its place: `changed-there`, `deleted-there`, `changed-here`, `deleted-here` or `restored`; left out where that
    /// is not known.
    var reason: String?

    private let spoken: String

    private enum CodingKeys: CodingKey {
        case path, untilMilliseconds, writtenMilliseconds, sizeBytes, reason
    }

    init(_ version: KeptVersion) {
        path = version.path.description
        untilMilliseconds = version.replacedMilliseconds
        writtenMilliseconds = version.writtenMilliseconds
        sizeBytes = version.size
        reason = version.reason?.rawValue
        spoken = version.reason.spoken
    }

    func text(withMilliseconds isExact: Bool) -> String {
        let milliseconds = "\(1000 + untilMilliseconds % 1000)".dropFirst()
        let size = Amounts.bytes(sizeBytes)
        let columns = [
            WallClock.text(untilMilliseconds) + (isExact ? ".\(milliseconds)" : ""), spoken.padded(to: 20),
            String(repeating: " ", count: max(0, 6 - size.count)) + size, path,
        ]
        return columns.joined(separator: "  ")
    }
}
