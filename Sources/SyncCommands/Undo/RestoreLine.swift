import FolderControl
import FolderHistory
import FolderSettings
import SyncModel
import SystemPackage

/// What `restore` did, and what it did not.
struct RestoreReport {
    var done: [RestoreLine]
    var leftOut: LeftOutFiles

    var isFailure: Bool { leftOut.isFailure || done.contains { $0.outcome == .failed } }
}

/// What `restore` did with one file; its JSON form is `restore --json`.
struct RestoreLine: Encodable {
    enum Outcome: String, Encodable {
        case restored, copied, already, failed
        /// It is on its way from the zone.
        case coming
        /// What it was at that time is not kept, or it was not there.
        case notKept = "not-kept"
    }

    var path: String
    var outcome: Outcome
    /// Until when the version stood there; left out where none was taken.
    var untilMilliseconds: Int64?
    var message: String

    init(_ path: FolderPath, _ outcome: Outcome, message: String) {
        self.path = path.description
        self.outcome = outcome
        self.message = message
    }

    /// A file that the zone brings once more.
    init(_ path: FolderPath, hasCome: Bool, in directory: StateDirectory) {
        let folder = ShellWord.quoted(directory.folder.string)
        self.init(
            path, hasCome ? .restored : .coming,
            message: hasCome
                ? "\(path) is back, as the zone has it."
                : "\(path) comes from the zone: `zonefolder status --wait \(folder)` waits for it.")
    }

    init(_ version: KeptVersion, _ result: Restoring.Result) {
        path = version.path.description
        untilMilliseconds = version.replacedMilliseconds
        let until = "as it was until \(WallClock.text(version.replacedMilliseconds))"
        switch result {
        case .restored(let replaced):
            outcome = .restored
            message = "\(path) is back, \(until)." + (replaced ? " What stood there is kept." : "")
        case .alreadySo:
            outcome = .already
            message = "\(path) is \(until) already."
        case .taken:
            outcome = .already
            message = "A file stands at \(path) again: it stays as it is."
        case .failed(let reason):
            outcome = .failed
            message = reason
        }
    }

    init(_ version: KeptVersion, _ copy: Result<FilePath, any Error>) {
        self.init(copy, of: version.path, "as it was until \(WallClock.text(version.replacedMilliseconds))")
        untilMilliseconds = version.replacedMilliseconds
    }

    init(standing path: FolderPath, _ copy: Result<FilePath, any Error>) {
        self.init(copy, of: path, "as it stands now: it was not written to since")
    }

    private init(_ copy: Result<FilePath, any Error>, of path: FolderPath, _ which: String) {
        self.path = path.description
        switch copy {
        case .success(let target):
            outcome = .copied
            message = "\(target) is \(path) \(which)."
        case .failure(let error):
            outcome = .failed
            message = "\(error)"
        }
    }

    init(unchanged path: FolderPath, since moment: Int64?) {
        self.path = path.description
        outcome = .already
        message = "\(path) is as it was then: nothing that is kept took a place since."
    }
}
