import ArgumentParser
import FolderControl
import LosslessJSON
import StateStorage
import SyncModel
import SyncService
import SystemPackage

struct ResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Settle a conflict.",
        discussion: """
            PATH is the file, or one of its conflict copies. Of the fields that collided, --mine makes this device's version \
            stand and --theirs the zone's; what else is in the file stays. --merged takes the whole file from another one, \
            --edit opens both versions in $VISUAL or $EDITOR: what you save of the first is the file. The conflict copy \
            goes into the history, and the file goes to the other devices as any edit does.

              zonefolder conflicts
              zonefolder resolve Note/todo.json --mine
              zonefolder resolve --all --theirs ~/Notes

            Works with a daemon and without. Exit status 1 where there is no such conflict, or something was changed \
            in that very moment; then nothing was done with it. Status 4 where an --edit changed nothing.
            """)

    @Argument(
        help: ArgumentHelp(
            "The file or its copy; with --all the folder, where left out the one that holds the working directory.",
            valueName: "path"), completion: .file())
    var path: String?

    @Flag(help: "Let this device's version stand.")
    var mine = false

    @Flag(help: "Let the zone's version stand.")
    var theirs = false

    @Option(
        help: ArgumentHelp("Let this file's content stand; - reads standard input.", valueName: "file"),
        completion: .file())
    var merged: String?

    @Flag(help: "Edit both versions; what you save of the first stands.")
    var edit = false

    @Flag(help: "Settle every conflict of the folder, by --mine or --theirs.")
    var all = false

    @Flag(help: "Print one JSON array instead of text.")
    var json = false

    func validate() throws {
        guard [mine, theirs, merged != nil, edit].count(where: { $0 }) == 1 else {
            throw ValidationError("Say what is to stand, once: --mine, --theirs, --merged FILE or --edit.\(dashes)")
        }
        guard !all || mine || theirs else { throw ValidationError("--all goes with --mine or --theirs.") }
        guard all || path != nil else {
            throw ValidationError(
                "Name the file whose conflict it is, or say --all. A name that begins with a dash is written ./-NAME.")
        }
    }

    /// Behind a `--` all words are paths, also the option that was meant.
    private var dashes: String {
        guard let path, path.hasPrefix("-") else { return "" }
        return " What stands behind -- is no option: write \(ShellWord.path(path)), and no --."
    }

    func run() async throws {
        let place = try FolderArgument.of(path).place
        let directory = try FolderArgument.stateDirectory(of: place.folder)
        let conflicts = try await StatusSource(for: directory).report().conflicts
        let chosen = try ConflictChoice.conflicts(conflicts, at: place.path?.description, all: all)
        let settlement = try ConflictSettlement(directory)
        let settled =
            if mine || theirs {
                try settle(chosen, by: mine ? .mine : .theirs, settlement)
            } else if let merged {
                try settle(
                    chosen, by: .merged(try MergedFile.read(merged, for: chosen[0], settlement)), settlement)
            } else {
                try settle(edited: chosen, settlement)
            }
        if json {
            StandardOutput.print(try JSONText.pretty(settled))
        } else {
            for one in settled { StandardOutput.print(one.text) }
        }
    }

    /// One after the other, oldest first; what was settled is said also where a later one cannot be.
    private func settle(
        _ conflicts: [StatusReport.Conflict], by choice: ConflictSettlement.Choice, _ settlement: ConflictSettlement,
        seen: [UInt8]? = nil
    ) throws -> [ConflictSettlement.Settled] {
        var settled: [ConflictSettlement.Settled] = []
        for conflict in conflicts {
            do {
                settled.append(try settlement.settle(conflict, by: choice, seen: settled.isEmpty ? seen : nil))
            } catch {
                if !json { for one in settled { StandardOutput.print(one.text) } }
                throw error
            }
        }
        return settled
    }

    private func settle(
        edited conflicts: [StatusReport.Conflict], _ settlement: ConflictSettlement
    ) throws -> [ConflictSettlement.Settled] {
        // The newest copy is the one to compare with; the others go with it.
        let versions = try settlement.versions(of: conflicts[conflicts.count - 1])
        let session = try ConflictEditing(conflicts[conflicts.count - 1], versions.file ?? [], versions.copy)
        let edited = try session.run()
        guard edited != versions.file else {
            session.remove()
            throw CommandFailure.nothingEdited(conflicts[0].path)
        }
        do {
            try MergedFile.check(edited, named: "What you saved", insteadOf: versions.file)
            let settled = try settle(conflicts, by: .merged(edited), settlement, seen: versions.file)
            session.remove()
            return settled
        } catch {
            // What a person typed is kept.
            throw CommandFailure.notSettled(error, edited: session.file)
        }
    }
}

/// Which conflicts are meant.
enum ConflictChoice {
    /// - Parameter path: In the folder: a file's, or a copy's; `nil`: the folder itself.
    /// - Returns: At least one, oldest first; for a file all of its copies.
    static func conflicts(
        _ conflicts: [StatusReport.Conflict], at path: String?, all: Bool
    ) throws(CommandFailure) -> [StatusReport.Conflict] {
        let chosen =
            all && path == nil
            ? conflicts
            : conflicts.filter { conflict in
                [conflict.path, conflict.copy].contains { named in
                    path.map { named.utf8.elementsEqual($0.utf8) || all && named.utf8.starts(with: ($0 + "/").utf8) }
                        ?? false
                }
            }
        guard !chosen.isEmpty else { throw path.map { .noConflict($0) } ?? .noConflicts }
        return chosen.sorted { $0.atMilliseconds < $1.atMilliseconds }
    }
}

/// What a person made of both versions.
enum MergedFile {
    static func read(
        _ name: String, for conflict: StatusReport.Conflict, _ settlement: ConflictSettlement
    ) throws -> [UInt8] {
        let bytes = name == "-" ? try PlainFiles.read("/dev/stdin") : try PlainFiles.readNamed(name)
        try check(
            bytes, named: name == "-" ? "Standard input" : name, insteadOf: settlement.versions(of: conflict).file)
        return bytes
    }

    /// - Throws: ``CommandFailure`` where a JSON file would become none, and be held.
    static func check(_ bytes: [UInt8], named name: String, insteadOf file: [UInt8]?) throws(CommandFailure) {
        guard let file, (try? JSONDocument(parsing: file)) != nil else { return }
        do {
            _ = try JSONDocument(parsing: bytes)
        } catch {
            throw CommandFailure(
                status: .usage,
                message: "\(name) is no JSON, and the file is: \(Sentence.ended("\(error)")) Nothing was settled.")
        }
    }
}

extension CommandFailure {
    static func noConflict(_ path: String) -> Self {
        Self(
            status: .error,
            message: "\(path) has no conflict. `zonefolder conflicts` names those that there are. Nothing was changed.")
    }

    static let noConflicts = Self(status: .error, message: "There are no conflicts. Nothing was changed.")

    static func nothingEdited(_ path: String) -> Self {
        Self(
            status: .attention,
            message: "\(path) was left as it is, so its conflict stays. To keep the file so: zonefolder resolve "
                + "\(ShellWord.path(path)) --theirs, or --mine where the file is yours.")
    }

    static func notSettled(_ error: any Error, edited file: FilePath) -> Self {
        Self(
            status: ExitStatus(of: error),
            message: "\(Sentence.ended("\(error)")) What you saved is kept in \(file): mend it and say --merged "
                + "\(ShellWord.quoted(file.string)).")
    }
}
