import ArgumentParser
import FolderSettings
import StateStorage
import SyncModel
import SystemPackage

/// The file or folder whose earlier versions a command is about.
struct VersionedPath {
    let folder: FilePath
    /// Relative to the folder; `nil` for all of it.
    let path: FolderPath?

    init(_ argument: FolderArgument) throws {
        let place = try argument.place
        (folder, path) = (place.folder, place.path)
    }

    init(_ text: String) throws {
        try self.init(FolderArgument.of(text))
    }

    var stateDirectory: StateDirectory {
        get throws { try FolderArgument.stateDirectory(of: folder) }
    }

    /// The path as a word of a command line.
    var shown: String { (path.map { folder.pushing(FilePath($0.description)) } ?? folder).string }
}

/// Which of the kept versions is meant.
struct VersionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("As it was at that time: \(Moment.forms).", valueName: "time"))
    var at: String?

    func validate() throws {
        _ = try moment
    }

    /// In milliseconds since 1970; `nil` for the newest version.
    var moment: Int64? {
        get throws {
            try at.map { try Self.moment($0, of: "--at") }
        }
    }

    /// The time that an option names, in milliseconds since 1970.
    /// - Parameter isBeginning: A day alone is its beginning, and not its end.
    static func moment(_ text: String, of option: String, isBeginning: Bool = false) throws -> Int64 {
        let now = WallClock.now
        guard let moment = Moment.parse(text, now: now, isBeginning: isBeginning) else {
            throw ValidationError("\(option) cannot be '\(text)'. It takes \(Moment.forms).")
        }
        guard moment <= now else {
            throw ValidationError("\(option) \(text) is still to come: name a time in the past.")
        }
        return moment
    }
}

extension KeptReason? {
    /// What took the place of a version, in words.
    var spoken: String {
        switch self {
        case .changedThere: "changed in the zone"
        case .deletedThere: "deleted in the zone"
        case .changedHere: "changed here"
        case .deletedHere: "deleted here"
        case .restored: "another was restored"
        case nil: "changed or deleted"
        }
    }
}
