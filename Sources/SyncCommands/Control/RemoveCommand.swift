import ArgumentParser
import FolderControl
import FolderSettings
import StateStorage
import SyncService
import SystemPackage

struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Make a folder no longer a synced one; its files stay.",
        discussion: """
            Stops the daemon, forgets the sign-in, and takes the folder's .zonefolder away: configuration, state, history. \
            No file of the folder is touched, and nothing in the zone. `zonefolder init` sets it up again; what is equal \
            in both is recognised then.

            Where something waits to be sent or is held, or earlier versions of files are kept, it says so and changes \
            nothing: exit status 3, or 4 where a person is asked for. --yes goes on all the same. Other folders of the \
            same daemon go on. systemd, where it ran the daemon, starts it at no login any more.

            Of a folder that is gone, or whose .zonefolder is, as `zonefolder status` says, it only stops the daemon and \
            forgets that there was one.

              zonefolder remove ~/Notes
            """)

    @Argument(help: ArgumentHelp("The folder.", valueName: "folder"), completion: .directory)
    var path: String

    @Flag(help: "Also where something waits, is held, or is kept in the history.")
    var yes = false

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    func run() async throws {
        if let gone = try KnownFolders.gone(path) { return try await forget(gone) }
        let directory = try FolderArgument.stateDirectory(of: folder)
        if !yes { try await check(directory) }
        let zone = try? FolderConfiguration(of: directory).zone
        let daemon = await BackgroundDaemon(syncing: directory)
        // Else it would be started at the next login, for a folder that is none by then.
        try await daemon?.unit?.disable()
        try await daemon?.stop()
        try FolderReset.remove(directory)
        KnownFolders.forget(directory.folder)
        if json {
            StandardOutput.print(
                try JSONText.pretty(Removal(folder: directory.folder.string, stoppedProcess: daemon?.process)))
        } else {
            if let process = daemon?.process {
                StandardOutput.print("Process \(process) no longer syncs \(directory.folder).")
            }
            let alsoStays = zone.map { ", and so does the zone '\($0)'" } ?? ""
            StandardOutput.print("\(directory.folder) is forgotten and signed out. Its files stay\(alsoStays).")
        }
        try await daemon?.others.start { folder, start in
            StandardError.print("Process \(start.process) syncs \(folder).")
        }
    }

    /// The folder that was named, also where it lies in another one, and cannot be synced for that.
    private var folder: FilePath {
        get throws {
            let argument = try FolderArgument.of(path)
            if let nested = try argument.nestedFolder { return nested }
            let place = try argument.place
            guard place.path == nil else { throw CommandFailure.notTheFolder(path, in: place.folder) }
            return place.folder
        }
    }

    /// Of a folder that is not there any more, or lost its state directory, nothing is left but its line in the list, and perhaps
    /// a daemon that waits for it.
    private func forget(_ gone: FilePath) async throws {
        let daemon = await LeftDaemon(of: gone)
        try await daemon?.stop(isForGood: true)
        KnownFolders.forget(gone)
        if json {
            StandardOutput.print(
                try JSONText.pretty(Removal(folder: gone.string, stoppedProcess: daemon?.process)))
        } else {
            if let process = daemon?.process { StandardOutput.print("Process \(process) no longer syncs \(gone).") }
            StandardOutput.print(
                KnownFolders.hasLostState(gone)
                    ? "\(gone) is forgotten; its state directory was gone already. Its files are untouched. To set it up "
                        + "again: zonefolder init \(ShellWord.quoted(gone.string))"
                    : "\(gone) is not there any more, and `zonefolder status` no longer lists it.")
        }
        try await daemon?.others.start { folder, start in
            StandardError.print("Process \(start.process) syncs \(folder).")
        }
    }

    private func check(_ directory: StateDirectory) async throws {
        let work: UnsentWork
        do {
            work = try await UnsentWork.find(in: directory)
        } catch {
            throw CommandFailure.cannotTellUnsent(error, in: directory.folder)
        }
        if !work.words.isEmpty { throw CommandFailure.unsent(work, in: directory.folder) }
    }

    private struct Removal: Encodable {
        var folder: String
        var stoppedProcess: Int32?
    }
}
