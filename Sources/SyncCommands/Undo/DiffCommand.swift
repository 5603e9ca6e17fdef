import ArgumentParser
import FolderHistory
import SyncModel
import SyncService

struct DiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show what changed in a file since an earlier version.",
        discussion: """
            Compares the newest version that is kept, or the one that stood there --at a time, with the file as it is now: \
            lines with - were in the version, lines with + are in the file. Of what is no text, size and SHA-256 are \
            shown. Of a folder, each file of which a version is kept. Nothing is printed where nothing differs. Changes \
            nothing, and needs no daemon.

            Example:
              zonefolder diff Note/todo.json --at yesterday
            """)

    @Argument(
        help: ArgumentHelp("The file or the folder, whether it is there or gone.", valueName: "path"),
        completion: .file())
    var path: String

    @OptionGroup var options: VersionOptions

    @Flag(help: "Print one JSON array instead of text.")
    var json = false

    func run() async throws {
        let place = try VersionedPath(path)
        let versions = try KeptVersions(of: place.stateDirectory, atOrBelow: place.path)
        let chosen = try ChosenVersions(place, at: try options.moment, among: versions, isThere: nil)
        let comparisons = try chosen.versions.map { version in
            VersionComparison(
                version, try versions.contents(of: version), try versions.currentContents(at: version.path))
        }.filter(\.differs)
        if json { return StandardOutput.print(try JSONText.pretty(comparisons)) }
        for comparison in comparisons { StandardOutput.print(comparison.text) }
        if comparisons.isEmpty, StandardError.isTerminal { StandardError.print("Nothing differs.") }
    }
}

/// A kept version beside the file as it is now; its JSON form is `diff --json`.
struct VersionComparison: Encodable {
    /// One side.
    struct Side: Encodable, Hashable {
        var sizeBytes: Int64
        var sha256: String
    }

    var path: String
    /// Until when the version stood there.
    var untilMilliseconds: Int64
    var kept: Side
    /// Left out where no file is there now.
    var current: Side?
    /// Lines of a unified diff; left out for what is no text.
    var lines: [String]?

    init(_ version: KeptVersion, _ kept: VersionContents, _ current: VersionContents?) {
        path = version.path.description
        untilMilliseconds = version.replacedMilliseconds
        self.kept = Side(kept)
        self.current = current.map { Side($0) }
        if let old = kept.bytes, let new = current.map({ $0.bytes }) ?? [] {
            lines = UnifiedDiff(from: old, to: new)?.lines
        }
    }

    var differs: Bool { kept != current }

    var text: String {
        let until = WallClock.text(untilMilliseconds)
        guard let lines else {
            let side = { (side: Side) in "\(Amounts.bytes(side.sizeBytes)), SHA-256 \(side.sha256)" }
            return """
                \(path) is no text, and differs:
                  until \(until): \(side(kept))
                  now: \(current.map(side) ?? "not there")
                """
        }
        let head = ["--- \(path)\tuntil \(until)", current == nil ? "+++ /dev/null" : "+++ \(path)\tnow"]
        return (head + lines).joined(separator: "\n")
    }
}

extension VersionComparison.Side {
    fileprivate init(_ contents: VersionContents) {
        sizeBytes = contents.size
        sha256 = contents.hash.hex
    }
}
