import ArgumentParser
import FolderControl
import LocalFolder
import SyncModel
import SyncService

struct IgnoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ignore",
        abstract: "Say whether a path is left out of the sync, and by which rule.",
        discussion: """
            Names the rule that decides: a line of .zonefolderignore at the folder's root, or a built-in one. The path \
            need not exist; one that ends in a slash is taken for a directory then, any other for a file, and a rule that \
            leaves out a directory of that name is told. Nothing is changed, and no daemon is asked.

              zonefolder ignore notes/draft.part
              zonefolder ignore build/ && echo left out

            Exit status, as of `git check-ignore`: 0 the path is left out, 1 it is not; 2 usage, 6 the rules cannot be \
            read, 78 the path is in no synced folder.
            """)

    @Argument(
        help: ArgumentHelp("The path of a file or directory in a folder.", valueName: "path"), completion: .file())
    var path: String

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    func run() async throws {
        let place = try FolderArgument.of(path).place
        let root = try Self.reading { () throws(FolderError) in try FolderRoot(opening: place.folder) }
        let rules = try Self.reading { () throws(FolderError) in try IgnoreRules.read(from: root) }
        guard let own = place.path else {
            throw CommandFailure(
                status: .usage, message: "\(place.folder) is the synced folder itself. Name a path in it.")
        }
        let content = FolderReader(root: root).content(at: own)
        let isDirectory =
            switch content {
            case .directory: true
            case .absent: path.hasSuffix("/")
            case .file, .skipped: false
            }
        let decision = rules.decision(about: own, isDirectory: isDirectory)
        // Nobody can tell what is not there.
        let other = content == .absent && !isDirectory ? rules.decision(about: own, isDirectory: true) : nil
        let report = IgnoreReport(
            of: own, isDirectory: isDirectory, decision, asDirectory: other, invalidLines: rules.invalidLines)
        if json {
            StandardOutput.print(try JSONText.pretty(report))
        } else {
            for line in report.lines { StandardOutput.print(line) }
            if !decision.isIgnored,
                case .skipped(let sentence) = try FileStanding(of: own, in: place.folder)
            {
                StandardError.print("It is not synced all the same. \(sentence)")
            }
        }
        for line in report.warnings { StandardError.print(line) }
        throw decision.isIgnored ? ExitStatus.done : ExitStatus.error
    }

    /// A failure is told from "not left out", which has its exit status elsewhere.
    private static func reading<Value>(_ body: () throws(FolderError) -> Value) throws -> Value {
        do throws(FolderError) {
            return try body()
        } catch {
            throw CommandFailure(status: .unknown, message: "\(error)")
        }
    }
}
