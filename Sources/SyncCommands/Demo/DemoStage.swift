import FolderControl
import FolderSettings
import StateStorage
import SyncService
import SystemPackage

/// The demo's directory and processes: a server, and a daemon for each device.
actor DemoStage {
    nonisolated let place: FilePath
    nonisolated var data: FilePath { place.appending("server") }

    private var server: ChildProcess?
    private var daemons: [ChildProcess] = []
    private var folders: [FilePath] = []
    private var url = ""

    private static let container = "iCloud.zonefolder.demo"

    init(place: FilePath) {
        self.place = place
    }

    /// Starts the server on a free port, and gives its URL.
    func startServer() async throws -> String {
        let process = try ChildProcess(
            arguments: ["serve", "--data", data.string, "--listen", "127.0.0.1:0"], output: .pipe,
            errors: .appended(to: place.appending("server.log")))
        server = process
        guard let line = try await process.firstLine() else {
            throw CommandFailure.child("serve", "ended before it listened. Its log: \(place)/server.log")
        }
        url = line
        return line
    }

    /// Signs Ada in on a further device: a folder of its own, with tokens of its own.
    func addDevice(_ name: String) async throws -> FilePath {
        let account = try await output(
            of: ["serve", "user", "add", "ada", "--data", data.string, "--container", Self.container, "--json"])
        let user = try JSONText.value(UserLine.self, in: account)
        let folder = place.appending(name)
        folders.append(folder)
        _ = try await output(
            of: [
                "init", folder.string, "--server", url, "--container", Self.container, "--zone", "Notes", "--device",
                name,
                "--api-token", user.apiToken, "--web-auth-token-file", "-",
            ], input: user.webAuthToken + "\n")
        return folder
    }

    /// Starts a daemon and returns without waiting for it; its log is where that of `start` is.
    func startDaemon(for folder: FilePath) throws {
        let log = try BackgroundDaemon.log(of: StateDirectory.open(in: folder))
        daemons.append(
            try ChildProcess(arguments: ["run", folder.string], output: .appended(to: log), errors: .withOutput))
    }

    /// How a folder stands once it has settled, as its daemon says.
    func settledReport(of folder: FilePath) async throws -> StatusReport {
        let client = try ControlClient(for: StateDirectory.open(in: folder))
        for _ in 0..<1000 {
            if let report = try await Self.answer(of: client) { return report }
            try checkProcesses()
            try await Task.sleep(for: .milliseconds(10))
        }
        throw CommandFailure.tookTooLong("The first answer of the daemon for \(folder)", seconds: 10)
    }

    /// The report, or `nil` where the daemon does not listen yet: it has only just been started.
    private static func answer(of client: ControlClient) async throws -> StatusReport? {
        do throws(ControlError) {
            return try await client.settledStatus(timeout: .seconds(30))
        } catch {
            if error.code == .notRunning { return nil }
            throw error
        }
    }

    /// Waits until something can be seen on the disk.
    func wait(for what: String, patience: Duration, until isThere: () -> Bool) async throws {
        let deadline = ContinuousClock.now + patience
        while !isThere() {
            try checkProcesses()
            guard ContinuousClock.now < deadline else {
                throw CommandFailure(
                    status: .error,
                    message: "Waited \(patience) for \(what), in vain. Logs: \(place)/*/.zonefolder/daemon.log")
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Ends every process, the daemons first.
    /// - Parameter isKept: Whether the files stay, and with them what is known of the folders.
    func clear(isKept: Bool) async {
        for daemon in daemons { await daemon.end() }
        await server?.end()
        guard !isKept else { return }
        PlainFiles.remove(place)
        for folder in folders { KnownFolders.forget(folder) }
    }

    private func checkProcesses() throws {
        if server?.poll() != nil { throw CommandFailure.child("serve", "ended too early.") }
        if daemons.contains(where: { $0.poll() != nil }) {
            throw CommandFailure.child("run", "ended too early. Logs: \(place)/*/.zonefolder/daemon.log")
        }
    }

    /// Runs this program to its end, and gives what it printed.
    private func output(of arguments: [String], input: String = "") async throws -> String {
        let process = try ChildProcess(arguments: arguments, input: input, output: .pipe, errors: .withOutput)
        let text = try await process.wholeOutput()
        guard await process.ended(within: .seconds(30)) == .exited(0) else {
            throw CommandFailure.child(arguments[0], "failed: \(text)")
        }
        return text
    }
}
