import FolderControl
import FolderHistory
import SyncModel
import SystemPackage

/// The files that `restore` was to bring back and leaves out, with why.
struct LeftOutFiles {
    private let place: VersionedPath
    private let isPast: Bool
    private var files: [(path: FolderPath, reason: LeftOutReason)] = []

    /// So many of one kind are named one by one; of more, the first three.
    private static let mostNamed = 5

    /// - Parameter moment: That of the versions which are asked for.
    init(of place: VersionedPath, at moment: Int64?) {
        self.place = place
        isPast = moment != nil
    }

    mutating func add(_ path: FolderPath, _ reason: LeftOutReason) { files.append((path, reason)) }

    var isEmpty: Bool { files.isEmpty }

    /// Whether the deletion of one has yet to go out.
    var isAwaitingDeletion: Bool { files.contains { $0.reason == .inZone } }

    /// Whether one is left out for certain: of the others, nobody knows whether they were there.
    var isFailure: Bool { files.contains { $0.reason != .perhapsAbsent } }

    /// What became of each, for `--json`.
    var lines: [RestoreLine] {
        files.sorted { $0.path < $1.path }.map { path, reason in
            RestoreLine(path, reason == .perhapsAbsent ? .notKept : .failed, message: sentence(on: path, reason))
        }
    }

    /// What is said of them.
    var sentences: [String] {
        LeftOutReason.allCases.flatMap { reason -> [String] in
            let paths = files.filter { $0.reason == reason }.map { $0.path }.sorted()
            return paths.count > Self.mostNamed
                ? [sentence(on: paths, reason)] : paths.map { sentence(on: $0, reason) }
        }
    }

    private func sentence(on path: FolderPath, _ reason: LeftOutReason) -> String {
        let history = listing(place.folder.pushing(FilePath(path.description)).string)
        switch reason {
        case .inZone:
            // An older version in its place would become the last one everywhere.
            return
                "The last version of \(path) is in the zone alone, since its deletion has not gone out. Once it has, the "
                + "version is kept here, and can be restored. \(status) says what the deletion waits for"
                + (isPast ? "." : "; \(history) lists what is older, for --at.")
        case .notKept:
            return "What \(path) was at that time is not kept. \(history) lists what is."
        case .perhapsAbsent:
            return "What \(path) was at that time is not kept, or it was not there. \(history) lists what is kept."
        }
    }

    private func sentence(on paths: [FolderPath], _ reason: LeftOutReason) -> String {
        let files = Amounts.count(paths.count, "file")
        let named = paths.prefix(3).map(\.description).joined(separator: ", ") + " and \(paths.count - 3) more"
        let history = listing(place.shown)
        switch reason {
        case .inZone:
            return
                "The last versions of \(files) are in the zone alone, since their deletions have not gone out: \(named). "
                + "Once they have, the versions are kept here, and can be restored. \(status) says what the deletions wait "
                + "for" + (isPast ? "." : "; \(history) lists what is older, for --at.")
        case .notKept:
            return "What \(files) were at that time is not kept: \(named). \(history) lists what is."
        case .perhapsAbsent:
            return
                "What \(files) were at that time is not kept, or they were not there: \(named). \(history) lists what is "
                + "kept."
        }
    }

    private var status: String { "`zonefolder status \(ShellWord.quoted(place.folder.string))`" }

    private func listing(_ path: String) -> String { "`zonefolder history \(ShellWord.quoted(path))`" }
}
