import ArgumentParser
import FolderControl
import FolderHistory
import FolderSettings
import SyncModel
import SyncService
import SystemPackage

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring back an earlier version of a file, or of the files of a folder.",
        discussion: """
            Without --at, a file gets the newest version that is kept of it, and a directory in the folder the files that \
            are gone from it. With --at, each file gets the version that stood there then; what came later stays as it is. A day \
            alone is its end, 10:30 the last time that it was. A conflict copy is brought back only where it is named itself.

            What stands at the path now is kept first, so that another restore undoes this one. It is synced like any \
            edit; no daemon need run. With --to, the versions are written to a directory elsewhere, with --at also \
            the files that are still what they were; nothing there is replaced, and the folder stays as it is.

            Exit status 1 where a file could not be brought back, 2 where the time cannot be read.

            Examples:
              zonefolder restore Note/todo.json
              zonefolder restore Pictures --at yesterday
              zonefolder restore Note/todo.json --at 2h --to /tmp/old
            """)

    @Argument(
        help: ArgumentHelp("The file or the folder, whether it is there or gone.", valueName: "path"),
        completion: .file())
    var path: String

    @OptionGroup var options: VersionOptions

    @Option(help: ArgumentHelp("Write to this directory, which is made where it is missing.", valueName: "directory"))
    var to: String?

    @Flag(help: "Print one JSON array instead of text.")
    var json = false

    func run() async throws {
        let place = try VersionedPath(path)
        let moment = try options.moment
        let lines: [RestoreLine]
        if let to {
            lines = try copy(place, at: moment, to: to)
        } else {
            lines = try await restore(place, at: moment)
        }
        if json { StandardOutput.print(try JSONText.pretty(lines)) }
        for line in lines {
            if line.outcome == .failed {
                StandardError.print("zonefolder: \(line.message)")
            } else if !json {
                StandardOutput.print(line.message)
            }
        }
        if lines.contains(where: { $0.outcome == .failed }) { throw ExitStatus.error }
    }

    /// So long a daemon has to send a deletion that was just made, and to keep what it takes away.
    private static let patience = Duration.seconds(10)

    private func restore(_ place: VersionedPath, at moment: Int64?) async throws -> [RestoreLine] {
        guard moment != nil || place.path != nil else { throw CommandFailure.restoresAll(place.folder) }
        let directory = try place.stateDirectory
        var restoring = try Restoring(in: directory, atOrBelow: place.path)
        var inZone = moment == nil ? try restoring.versions.onlyInZone(atOrBelow: place.path) : []
        let deadline = ContinuousClock.now + Self.patience
        while !inZone.isEmpty, ContinuousClock.now < deadline, FolderLock.holder(of: directory) != nil {
            try await Task.sleep(for: .milliseconds(250))
            restoring = try Restoring(in: directory, atOrBelow: place.path)
            inZone = try restoring.versions.onlyInZone(atOrBelow: place.path)
        }
        let stillThere = inZone.sorted().map { RestoreLine(inZone: $0, of: place.folder) }
        if restoring.versions.all.allSatisfy({ inZone.contains($0.path) }), !stillThere.isEmpty { return stillThere }
        let open = restoring
        let chosen = try ChosenVersions(place, at: moment, among: open.versions, isThere: { open.isThere($0) })
        return chosen.versions.filter { !inZone.contains($0.path) }.map { RestoreLine($0, open.restore($0)) }
            + chosen.unchanged.map { RestoreLine(unchanged: $0, since: moment) } + stillThere
    }

    private func copy(_ place: VersionedPath, at moment: Int64?, to directory: String) throws -> [RestoreLine] {
        let versions = try KeptVersions(of: place.stateDirectory, atOrBelow: place.path)
        let present = moment.map { versions.standing(atOrBelow: place.path, writtenBy: $0) }
        let chosen = try ChosenVersions(place, at: moment, among: versions, isThere: nil, present: present)
        let target = try AbsolutePath.of(directory)
        guard !target.components.contains(".zonefolder") else { throw CommandFailure.stateAsTarget(target) }
        guard !target.starts(with: place.folder) else { throw CommandFailure.folderAsTarget(target) }
        try PlainFiles.makeDirectory(target)
        let copies = try CopiedVersions(of: versions, to: target)
        // From the name that was asked for on.
        let above = place.path?.parent.map { $0.names.count } ?? 0
        func copied(_ file: FolderPath, _ write: (FolderPath) throws -> Void) -> Result<FilePath, any Error> {
            let path = FolderPath(bytes: Array(file.names.dropFirst(above).joined(separator: [0x2F])))!
            return Result {
                try write(path)
                return target.pushing(FilePath(path.description))
            }
        }
        return chosen.versions.map { version in
            RestoreLine(version, copied(version.path) { try copies.write(version, to: $0) })
        }
            + chosen.standing.map { file in
                RestoreLine(standing: file, copied(file) { try copies.write(standing: file, to: $0) })
            }
    }
}

/// What `restore` did with one file; its JSON form is `restore --json`.
struct RestoreLine: Encodable {
    enum Outcome: String, Encodable {
        case restored, copied, already, failed
    }

    var path: String
    var outcome: Outcome
    /// Until when the version stood there; left out where none was taken.
    var untilMilliseconds: Int64?
    var message: String

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

    /// An older version in its place would become the last one everywhere.
    init(inZone path: FolderPath, of folder: FilePath) {
        self.path = path.description
        outcome = .failed
        let (file, root) = (
            ShellWord.quoted(folder.pushing(FilePath(path.description)).string), ShellWord.quoted(folder.string)
        )
        message =
            "The last version of \(path) is in the zone alone, since its deletion has not gone out. Once it has, the version is "
            + "kept here, and can be restored. `zonefolder status \(root)` says what the deletion waits for; "
            + "`zonefolder history \(file)` lists what is older, for --at."
    }

    init(unchanged path: FolderPath, since moment: Int64?) {
        self.path = path.description
        outcome = .already
        message = "\(path) is as it was then: nothing that is kept took a place since."
    }
}
