import ArgumentParser
import FolderSettings
import StateStorage
import SyncService
import SystemPackage

struct StartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Sync folders in the background.",
        discussion: """
            Returns once the daemon answers, or tells why it ended; says before how many files and bytes a first sync \
            sends. The daemon outlives the terminal; its log is \
            daemon.log in the .zonefolder of the first folder. Where one runs already, nothing is done; one that looks for \
            the folder where it was before somebody moved it makes room. On a terminal it shows then how far the first \
            sync is, until it is done; Ctrl-C ends the showing, not the daemon.

            One daemon syncs all the folders that are named: those of one database and account share the requests that \
            ask what changed.

            With --enable, systemd does it, now and at each login, with a unit for each folder; `zonefolder stop \
            --disable` undoes that. For a daemon that also runs while you are not logged in: `loginctl enable-linger`.
            """)

    @OptionGroup var folders: FolderArguments

    @Flag(help: "Let systemd start it, now and at each login.")
    var enable = false

    @Option(help: "Seconds to wait for the daemon's first answer.")
    var timeout = 30

    func run() async throws {
        let directories = try folders.stateDirectories
        for directory in directories {
            guard let former = try await MovedFolder.leaveFormerPlace(directory) else { continue }
            StandardError.print("\(directory.folder) was moved here from \(former) while its daemon ran.")
        }
        for directory in directories where FolderLock.holder(of: directory) == nil {
            // What is wrong with a folder, the daemon tells; the others start all the same.
            guard let configuration = try? FolderConfiguration(of: directory),
                let measure = try? FirstUpload.measureIfAhead(of: directory)
            else { continue }
            let text = FirstUploadText.text(measure, configuration)
            StandardError.print(TextLine(directories.count == 1 ? text : "\(directory.folder): \(text)"))
        }
        guard !enable else {
            for directory in directories { try await enable(directory) }
            return
        }
        let daemon = BackgroundDaemon(for: directories)
        var started: [FilePath] = []
        try await daemon.start(within: .seconds(timeout)) { folder, start in
            StandardOutput.print(start.text(of: folder))
            if case .started = start { started.append(folder) }
        }
        try await ProgressLine.showUntilSettled(started)
    }

    /// Hands a folder over to systemd. One daemon has a folder at a time.
    private func enable(_ directory: StateDirectory) async throws {
        let daemon = BackgroundDaemon(for: [directory])
        let runs = FolderLock.holder(of: directory) != nil
        if runs { try await daemon.stop() }
        do {
            try await FolderUnit(folder: directory.folder).enable()
        } catch {
            if runs { try await daemon.start(within: .seconds(timeout)) }
            throw error
        }
        StandardOutput.print("systemd syncs \(directory.folder), now and at each login.")
    }
}
