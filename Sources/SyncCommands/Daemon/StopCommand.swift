import ArgumentParser
import FolderControl
import FolderSettings
import StateStorage
import SystemPackage

struct StopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Stop the daemon of folders.",
        discussion: """
            Returns once the daemon has ended; what it was carrying out is in a safe state then. A daemon for several \
            folders stops for all of them. Exit status 5 where none runs. The daemon of a folder that was moved away, or \
            whose disk is, is stopped by the path that the folder had.

            With --disable, systemd starts none at the next login either, as `zonefolder start --enable` had it do.
            """)

    @OptionGroup var folders: FolderArguments

    @Flag(help: "Let systemd start none at the next login either.")
    var disable = false

    @Option(help: "Seconds to wait for its end.")
    var timeout = 60

    func run() async throws {
        if folders.paths.count == 1, let gone = try KnownFolders.gone(folders.paths[0]),
            let daemon = await LeftDaemon(of: gone)
        {
            try await daemon.stop(within: .seconds(timeout), isForGood: disable)
            StandardOutput.print("Process \(daemon.process), which waited for \(gone) to come back, is stopped.")
            return tell(ofOthers: daemon.others.directories.map(\.folder))
        }
        let named = try folders.folders
        var alsoStopped: [FilePath] = []
        try await folders.each { directory in
            if let index = alsoStopped.firstIndex(of: directory.folder) {
                alsoStopped.remove(at: index)
                if disable { try await FolderUnit(folder: directory.folder).disable() }
                return StandardOutput.print(
                    "\(directory.folder) is stopped: nothing is synced until `zonefolder start`.")
            }
            alsoStopped += try await stop(directory)
        }
        tell(ofOthers: alsoStopped.filter { !named.contains($0) })
    }

    private func tell(ofOthers others: [FilePath]) {
        guard !others.isEmpty else { return }
        let words = others.map { ShellWord.quoted($0.string) }.joined(separator: " ")
        let names = others.map(\.string).joined(separator: ", ")
        StandardOutput.print("So is what the same daemon synced: \(names).")
        StandardOutput.print("→ zonefolder start \(words)")
    }

    /// Stops the daemon of a folder.
    /// - Returns: The other folders that it synced.
    private func stop(_ directory: StateDirectory) async throws -> [FilePath] {
        let daemon = BackgroundDaemon(for: [directory])
        let others = await BackgroundDaemon(syncing: directory)?.others.directories ?? []
        if disable { try await FolderUnit(folder: directory.folder).disable() }
        // One that somebody started by hand is not systemd's to stop.
        guard !disable || FolderLock.holder(of: directory) != nil else {
            StandardOutput.print("\(directory.folder) is stopped, and does not start at the next login either.")
            return []
        }
        try await daemon.stop(within: .seconds(timeout), besides: others)
        StandardOutput.print("\(directory.folder) is stopped: nothing is synced until `zonefolder start`.")
        return others.map(\.folder)
    }
}
