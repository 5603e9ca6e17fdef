import ArgumentParser
import FolderControl
import FolderHistory
import FolderSettings
import StateRows
import StateStorage
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

            With --deleted-since, each file comes back that was deleted since then and is gone, in its last version \
            before the deletion; a day alone is its beginning. No file that is there is changed.

            What stands at the path now is kept first, so that another restore undoes this one. It is synced like any \
            edit; no daemon need run. With --to, the versions are written to a directory elsewhere, with --at also \
            the files that are still what they were; nothing there is replaced, and the folder stays as it is.

            What a note in the folder names as an asset comes from the zone, where it is gone from the folder alone; a daemon \
            brings it. Any other deletion that has not gone out yet leaves the last version in the zone alone. Such a file is \
            left out and named, as is one whose version of that time is not kept; where it may not have been there, that is no failure.

            Exit status 1 where a file could not be brought back or was left out, 2 where the time cannot be read.

            Examples:
              zonefolder restore Note/todo.json
              zonefolder restore Pictures --at yesterday
              zonefolder restore ~/Notes --deleted-since 10:30
              zonefolder restore Note/todo.json --at 2h --to /tmp/old
            """)

    @Argument(
        help: ArgumentHelp("The file or the folder, whether it is there or gone.", valueName: "path"),
        completion: .file())
    var path: String

    @OptionGroup var options: VersionOptions

    @Option(
        help: ArgumentHelp(
            "What was deleted since that time, and is gone: \(Moment.forms).", valueName: "time"))
    var deletedSince: String?

    @Option(help: ArgumentHelp("Write to this directory, which is made where it is missing.", valueName: "directory"))
    var to: String?

    @Flag(help: "Print one JSON array instead of text.")
    var json = false

    func validate() throws {
        guard try deletedMoment != nil, options.at != nil else { return }
        throw ValidationError(
            "--at takes files back to a time, and --deleted-since brings back what went since one. Name one of them.")
    }

    /// In milliseconds since 1970.
    private var deletedMoment: Int64? {
        get throws {
            try deletedSince.map { try VersionOptions.moment($0, of: "--deleted-since", isBeginning: true) }
        }
    }

    func run() async throws {
        let place = try VersionedPath(path)
        let moment = try options.moment
        let report: RestoreReport
        if let to {
            report = try await copy(place, at: moment, to: to)
        } else {
            report = try await restore(place, at: moment)
        }
        if json { StandardOutput.print(try JSONText.pretty(report.done + report.leftOut.lines)) }
        for line in report.done {
            if line.outcome == .failed {
                StandardError.print("zonefolder: \(line.message)")
            } else if !json {
                StandardOutput.print(line.message)
            }
        }
        let count = report.done.count { $0.outcome == .restored }
        if deletedSince != nil, count > 1, !json {
            StandardOutput.print("\(Amounts.count(count, "file")) came back, and no file that is there was changed.")
        }
        for sentence in report.leftOut.sentences { StandardError.print("zonefolder: \(sentence)") }
        if report.isFailure { throw ExitStatus.error }
    }

    private func restore(_ place: VersionedPath, at moment: Int64?) async throws -> RestoreReport {
        let directory = try place.stateDirectory
        let since = try deletedMoment
        guard moment != nil || since != nil || place.path != nil else {
            throw CommandFailure.restoresAll(place.folder, try LostFiles(of: directory))
        }
        func choose() throws -> (Restoring, ChosenVersions) {
            let restoring = try Restoring(in: directory, atOrBelow: place.path)
            if let since {
                return (restoring, try ChosenVersions(place, deletedSince: since, among: restoring.versions))
            }
            let inZone = try restoring.versions.onlyInZone(atOrBelow: place.path)
            let chosen = try ChosenVersions(
                place, at: moment, among: restoring.versions, isThere: { restoring.isThere($0) }, inZone: inZone)
            return (restoring, chosen)
        }
        let zone = try FilesFromZone(of: directory)
        // Of an earlier time another version may be meant than the zone has.
        func bring(_ leftOut: inout LeftOutFiles) async throws -> [RestoreLine] {
            guard moment == nil else { return [] }
            let lines = try await zone.bring(leftOut.awaitingDeletion)
            leftOut.remove(Set(lines.compactMap { FolderPath(shown: $0.path) }))
            return lines
        }
        var (restoring, chosen) = try choose()
        var brought = try await bring(&chosen.leftOut)
        if chosen.leftOut.isAwaitingDeletion {
            (restoring, chosen) = try await Self.patiently(in: directory, choose)
            chosen.leftOut.remove(Set(brought.compactMap { FolderPath(shown: $0.path) }))
        }
        let done = chosen.versions.map { RestoreLine($0, restoring.restore($0, replacing: since == nil)) }
        // A note that has just come back may name some of them.
        if !done.isEmpty { brought += try await bring(&chosen.leftOut) }
        return RestoreReport(
            done: done + chosen.unchanged.map { RestoreLine(unchanged: $0, since: moment) } + brought,
            leftOut: chosen.leftOut)
    }

    private func copy(_ place: VersionedPath, at moment: Int64?, to directory: String) async throws -> RestoreReport {
        let target = try AbsolutePath.of(directory)
        guard !target.components.contains(".zonefolder") else { throw CommandFailure.stateAsTarget(target) }
        guard !target.starts(with: place.folder) else { throw CommandFailure.folderAsTarget(target) }
        let state = try place.stateDirectory
        let since = try deletedMoment
        let (versions, chosen) = try await Self.patiently(in: state) { () -> (KeptVersions, ChosenVersions) in
            let versions = try KeptVersions(of: state, atOrBelow: place.path)
            if let since { return (versions, try ChosenVersions(place, deletedSince: since, among: versions)) }
            let present = moment.map { versions.standing(atOrBelow: place.path, writtenBy: $0) }
            let inZone = try versions.onlyInZone(atOrBelow: place.path)
            let chosen = try ChosenVersions(
                place, at: moment, among: versions, isThere: nil, present: present, inZone: inZone)
            return (versions, chosen)
        }
        guard !chosen.versions.isEmpty || !chosen.standing.isEmpty else {
            return RestoreReport(done: [], leftOut: chosen.leftOut)
        }
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
        let written = chosen.versions.map { version in
            RestoreLine(version, copied(version.path) { try copies.write(version, to: $0) })
        }
        let standing = chosen.standing.map { file in
            RestoreLine(standing: file, copied(file) { try copies.write(standing: file, to: $0) })
        }
        return RestoreReport(done: written + standing, leftOut: chosen.leftOut)
    }

    /// So long a daemon has to send a deletion that was just made, and to keep what it takes away.
    private static let patience = Duration.seconds(10)

    /// Opens what is kept, and chooses; anew as long as a daemon may be about to keep what would be left out.
    private static func patiently<Opened>(
        in directory: StateDirectory, _ choose: () throws -> (Opened, ChosenVersions)
    ) async throws -> (Opened, ChosenVersions) {
        let deadline = ContinuousClock.now + patience
        while true {
            let (opened, chosen) = try choose()
            guard chosen.leftOut.isAwaitingDeletion, ContinuousClock.now < deadline,
                FolderLock.holder(of: directory) != nil, try !isAsked(in: directory)
            else { return (opened, chosen) }
            try await Task.sleep(for: .milliseconds(250))
        }
    }

    /// Whether deletions wait for a person's word: nobody need wait for these.
    private static func isAsked(in directory: StateDirectory) throws -> Bool {
        try StateStore.look(at: directory) { store in
            try store.batchesAwaitingApproval().contains { $0.isAsked && $0.deletionKind == .deleteRecord }
        }
    }
}
