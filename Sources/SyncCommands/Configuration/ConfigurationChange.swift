import FolderControl
import FolderSettings
import StateRows
import StateStorage
import SyncService
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// Puts another text of `config.toml` in its place and lets a daemon that runs go by it.
struct ConfigurationChange {
    /// Who goes by the new text.
    enum Outcome: Hashable {
        case same
        case takenOver(pid_t)
        case stored

        var process: pid_t? { if case .takenOver(let process) = self { process } else { nil } }

        var sentence: String {
            switch self {
            case .same: "It was so before."
            case .takenOver(let process): "Process \(process) goes by it."
            case .stored: "No daemon runs; it holds from the next start on."
            }
        }
    }

    private let directory: StateDirectory
    private let text: String
    private let isSame: Bool
    private let after: FolderConfiguration
    /// `nil` where the file was none before.
    private let before: FolderConfiguration?
    private let isAgreed: Bool

    /// - Throws: `StateError` where the new text is no configuration.
    init(_ directory: StateDirectory, from before: String, to text: String, isAgreed: Bool) throws {
        self.directory = directory
        self.text = text
        isSame = before == text
        after = try FolderConfiguration(toml: text)
        self.before = try? FolderConfiguration(toml: before)
        self.isAgreed = isAgreed
        _ = try after.privateAuthority
        _ = try after.schemaText(of: directory)
    }

    func carryOut() async throws -> Outcome {
        if isSame { return .same }
        guard let before, let change = OriginDifference(from: before, to: after, wasSynced: wasSynced) else {
            try FolderConfiguration.replace(text, of: directory)
            return try await Self.takeOver(directory)
        }
        return try await carryOut(change)
    }

    /// Lets the daemon of a folder read its configuration again; waits until it answers by it.
    static func takeOver(_ directory: StateDirectory) async throws -> Outcome {
        do {
            try await ControlClient(for: directory).reload()
        } catch let error as ControlError where error.code == .notRunning {
            return .stored
        }
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            if let daemon = try? await ControlClient(for: directory).status().daemon { return .takenOver(daemon.pid) }
            guard FolderLock.holder(of: directory) != nil else { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw CommandFailure.notTakenOver(directory.folder)
    }

    // MARK: Another zone, perhaps

    private var wasSynced: Bool {
        (try? StateStore.look(at: directory) { try $0.facts().account != nil }) ?? false
    }

    /// With no daemon meanwhile: the question to another server is asked with its token.
    private func carryOut(_ change: OriginDifference) async throws -> Outcome {
        let daemon = await BackgroundDaemon(syncing: directory)
        try await daemon?.stop()
        if daemon != nil {
            StandardError.print(
                "The daemon is stopped while this is settled. Should it be interrupted: zonefolder start "
                    + ShellWord.quoted(directory.folder.string))
        }
        let result: Result<Void, any Error>
        do {
            try await agree(to: change)
            result = .success(try FolderConfiguration.replace(text, of: directory))
        } catch {
            result = .failure(error)
        }
        var outcome = Outcome.stored
        try await daemon?.start { folder, start in
            if folder == directory.folder { outcome = .takenOver(start.process) }
        }
        try result.get()
        return outcome
    }

    private func agree(to change: OriginDifference) async throws {
        var reason = change.sentence
        if change == .server {
            switch try await ServerComparison.compare(after, with: directory, logger: ProgramLog.silent) {
            case .same: return
            case .other(let difference): reason = difference
            case .unanswered(let message):
                guard !isAgreed else { return }
                throw CommandFailure.notCompared(after.server, message)
            }
        }
        guard !isAgreed else { return }
        guard isatty(0) == 1 else { throw CommandFailure.anotherZone(reason, in: directory.folder) }
        StandardError.print(
            "\(reason) No file is deleted, and nothing is sent there before `zonefolder approve zone`.")
        StandardError.printUnended("Go on? [y/N] ")
        guard ["y", "yes"].contains(readLine()?.lowercased() ?? "") else {
            throw CommandFailure(status: .approvalNeeded, message: "Nothing was changed.")
        }
    }
}

/// How what a folder is synced with would be another thing than before.
enum OriginDifference: Hashable {
    /// The server alone has another name; it may be the same one.
    case server
    /// Settings that make another zone.
    case zone([String])

    /// `nil` where it is no other, or the folder was never synced.
    init?(from before: FolderConfiguration, to after: FolderConfiguration, wasSynced: Bool) {
        guard wasSynced, FolderOrigin(before) != FolderOrigin(after) else { return nil }
        let names = ["server", "container", "environment", "database", "zone", "owner", "records.file_type"]
        let changed = zip(before.settings, after.settings).filter { $0 != $1 && names.contains($0.key) }.map(\.0.key)
        self = changed == ["server"] ? .server : .zone(changed)
    }

    var sentence: String {
        switch self {
        case .server: "The server has another name."
        case .zone(["records.file_type"]): "With another 'records.file_type' every plain file is another record."
        case .zone(let keys):
            "With another \(keys.map { "'\($0)'" }.joined(separator: " and ")) the folder is synced with another zone."
        }
    }
}

extension CommandFailure {
    static func notTakenOver(_ folder: FilePath) -> Self {
        Self(
            status: .unknown,
            message:
                "The configuration is changed, but the daemon of \(folder) did not answer by it. See `zonefolder status "
                + "\(ShellWord.quoted(folder.string))`.")
    }

    static func anotherZone(_ reason: String, in folder: FilePath) -> Self {
        Self(
            status: .approvalNeeded,
            message:
                "\(reason) Nothing was changed. Where that is meant, run it again with --yes: no file is deleted, and "
                + "nothing is sent there before `zonefolder approve zone \(ShellWord.quoted(folder.string))`.")
    }

    static func notCompared(_ server: String, _ message: String) -> Self {
        Self(
            status: .error,
            message:
                "Whether \(server) is the server of before cannot be told: \(Sentence.ended(message)) Nothing was changed. See "
                + "to its spelling, or run it again with --yes: the daemon compares it then, before anything is sent.")
    }
}
