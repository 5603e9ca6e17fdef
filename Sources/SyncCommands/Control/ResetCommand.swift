import ArgumentParser
import CloudKitClient
import CloudKitWire
import FolderControl
import FolderSettings
import StateStorage
import SyncService
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

struct ResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Forget the state of a folder, or delete its zone; files stay.",
        discussion: """
            --local forgets what was learnt of the folder and the zone, and looks at both anew: what is equal is recognised \
            as equal. Configuration, sign-in, history and conflict copies stay, and no file is lost on either side; an \
            edit or a deletion that had not gone out meets the zone's version as if made without it in sight. What others \
            changed, renamed or deleted since the last fetch is not told from that: it makes conflict copies and second \
            files. Where the zone can be reached, bring the folder up to date first: `zonefolder status --wait`. A daemon \
            that ran is started again.

            --remote deletes the zone with all its records, for every device. The name of the zone is asked for on the \
            terminal, or given with --confirm. The files stay in this folder and in those of all other devices: each \
            says so in its status, and fills the new, empty zone only after `zonefolder approve zone`.

              zonefolder reset --local ~/Notes
              zonefolder reset --remote --confirm Notes
            """)

    @OptionGroup var folder: FolderArgument

    @Flag(help: "Forget what is known of both sides.")
    var local = false

    @Flag(help: "Delete the zone.")
    var remote = false

    @Option(help: ArgumentHelp("With --remote: the zone's name, instead of typing it.", valueName: "zone"))
    var confirm: String?

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    func validate() throws {
        guard local != remote else {
            throw ValidationError("One of --local and --remote is needed: --local touches nothing in the zone.")
        }
        guard confirm == nil || remote else { throw ValidationError("--confirm goes with --remote.") }
    }

    func run() async throws {
        let directory = try folder.stateDirectory
        if local { try await resetLocal(directory) } else { try await resetRemote(directory) }
    }

    // MARK: The state

    private func resetLocal(_ directory: StateDirectory) async throws {
        let daemon = await BackgroundDaemon(syncing: directory)
        try await daemon?.stop()
        let damaged: FilePath?
        do {
            damaged = try FolderReset.forget(directory)
        } catch {
            try await daemon?.start()
            throw error
        }
        var outcome = LocalReset(folder: directory.folder.string, damagedState: damaged?.string)
        try await daemon?.start { folder, start in
            if folder == directory.folder { outcome.startedProcess = start.process }
        }
        if json { return StandardOutput.print(try JSONText.pretty(outcome)) }
        StandardOutput.print(
            "What was known of \(directory.folder) and its zone is forgotten. Files, sign-in, history and conflict copies "
                + "stay.")
        if let damaged { StandardOutput.print("The state was damaged; it is \(damaged) now.") }
        let name = ShellWord.quoted(directory.folder.string)
        StandardOutput.print(
            outcome.startedProcess.map { "Process \($0) looks at both sides anew." }
                ?? "Both sides are looked at anew at the next start. → zonefolder start \(name)")
    }

    private struct LocalReset: Encodable {
        var folder: String
        var damagedState: String?
        var startedProcess: Int32?
    }

    // MARK: The zone

    private func resetRemote(_ directory: StateDirectory) async throws {
        let configuration = try FolderConfiguration(of: directory)
        guard configuration.database == .private else { throw CommandFailure.notYourZone(configuration.zone) }
        try check(try confirm ?? askForName(configuration, directory), is: configuration.zone)
        let zoneID = ZoneID(zoneName: configuration.zone, ownerRecordName: configuration.owner)
        let console = DatabaseConsole(
            container: configuration.container, scope: .private,
            caller: .folder(DatabaseAccess(to: directory, logger: ProgramLog.silent), directory), folderZone: zoneID)
        try await console.asked {
            let answer: ZonesResponse = try await console.call(
                .zonesModify, ZonesModifyRequest(operations: [ZoneOperation(.delete, zoneID)]))
            try ItemFailures.check(answer.zones)
        }
        if json {
            return StandardOutput.print(
                try JSONText.pretty(RemoteReset(folder: directory.folder.string, deletedZone: configuration.zone)))
        }
        let name = ShellWord.quoted(directory.folder.string)
        StandardOutput.print("The zone '\(configuration.zone)' is deleted. The files of \(directory.folder) stay.")
        StandardOutput.print(
            "Other devices keep their files too, and send none before `zonefolder approve zone` there, or until the zone is "
                + "filled again.")
        StandardOutput.print(
            "To fill it from here, once status says that it is gone:\n→ zonefolder approve zone \(name)")
    }

    private struct RemoteReset: Encodable {
        var folder: String
        var deletedZone: String
    }

    private func askForName(_ configuration: FolderConfiguration, _ directory: StateDirectory) throws -> String {
        guard isatty(0) == 1 else { throw CommandFailure.unconfirmed(configuration.zone) }
        let records = (try? StateStore.look(at: directory) { try $0.recordCount() }) ?? 0
        StandardError.print(
            "This deletes the zone '\(configuration.zone)' of \(configuration.container) on \(configuration.server) with "
                + "all its records, \(Amounts.count(records, "record")) as far as known, for every device. No file is "
                + "deleted here or there.")
        StandardError.printUnended("Type the zone's name to delete it: ")
        return readLine(strippingNewline: true) ?? ""
    }

    private func check(_ name: String, is zone: String) throws {
        guard name.utf8.elementsEqual(zone.utf8) else { throw CommandFailure.unconfirmed(zone, given: name) }
    }
}

extension CommandFailure {
    static func unconfirmed(_ zone: String, given: String? = nil) -> Self {
        let reason =
            given.map { "'\($0)' is not the zone's name" }
            ?? "The zone's name is asked for on a terminal, and there is none"
        return Self(
            status: .usage,
            message: "\(reason). Nothing was deleted. To delete the zone with all its records: --confirm "
                + ShellWord.quoted(zone))
    }

    static func notYourZone(_ zone: String) -> Self {
        Self(
            status: .usage,
            message:
                "The zone '\(zone)' is somebody else's; only its owner can delete it. To take part in it no longer: "
                + "zonefolder share --leave")
    }
}
