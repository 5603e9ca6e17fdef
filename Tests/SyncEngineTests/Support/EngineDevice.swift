import CloudKitClient
import FolderControl
import FolderSettings
import Foundation
import LocalFolder
import StateStorage
import SyncModel
import SyncPlanning
import SyncTiming
import Synchronization
import SystemPackage
import Testing

@testable import RemoteZone
@testable import SessionCore
@testable import SyncEngine
@testable import SyncService

/// One device: a real folder, a real state, and the product's session over a network that can fail.
///
/// Time passes when told to, so that no test waits for a back-off.
final class EngineDevice {
    let folder: FilePath
    let network: FaultyNetwork
    private let skipped = Skipped()
    private var open: OpenFolder?
    private var feeds: DatabaseFeeds
    /// What its process knows of the network, and the time there, where a test tells both.
    private let reach: NetworkReach?
    private let time: HandMovedClock?

    /// Time that passed by being told to.
    final class Skipped: Sendable {
        let amount = Mutex(Duration.zero)
        /// When the clock was stopped, if it is.
        let stopped = Mutex<Duration?>(nil)
    }

    init(
        folder: FilePath, network: FaultyNetwork, feeds: DatabaseFeeds, reach: NetworkReach? = nil,
        time: HandMovedClock? = nil
    ) throws {
        self.reach = reach
        self.time = time
        self.folder = folder
        self.network = network
        self.feeds = feeds
        try start()
    }

    var session: FolderSession { open!.session }
    var account: FolderAccount { open!.account }
    var courier: CourierListener { open!.courier }
    var store: StateStore { open!.store }

    /// Starts the program anew, as after a crash: nothing but the disk is left of it.
    /// - Parameter feeds: Those of the process that it is started in.
    func restart(with feeds: DatabaseFeeds = DatabaseFeeds()) throws {
        try open?.store.close()
        open = nil
        self.feeds = feeds
        try start()
    }

    /// Changes `config.toml`, as a person does with an editor, and starts the program anew.
    func configure(_ change: (inout FolderConfiguration) -> Void) throws {
        let directory = try StateDirectory.open(in: folder)
        var configuration = try FolderConfiguration(of: directory)
        change(&configuration)
        try configuration.write(to: directory)
        try restart()
    }

    private func start() throws {
        let skipped = skipped
        let clock = SessionClock(
            wall: SessionClock.system.wall,
            steady: {
                (skipped.stopped.withLock(\.self) ?? SessionClock.system.steady()) + skipped.amount.withLock(\.self)
            })
        open = try OpenFolder(
            folder, transport: network, watches: false, clock: time?.clock ?? clock, feeds: feeds, network: reach,
            logger: EngineWorld.quiet)
    }

    func close() throws {
        try open?.store.close()
        open = nil
    }

    /// Lets time pass, so that what waits for another try is due.
    func pass(_ duration: Duration) {
        skipped.amount.withLock { $0 += duration }
    }

    /// Does something at one moment, however long the machine takes for it.
    func atOnce(_ body: () async throws -> Void) async rethrows {
        skipped.stopped.withLock { $0 = SessionClock.system.steady() }
        defer { skipped.stopped.withLock { $0 = nil } }
        try await body()
    }

    /// Looks at both sides and does what can be done, as one pass of the program does, but that time is passed instead
    /// of waited for.
    func settle() async {
        await session.settle(skipping: skipped)
    }

    /// Looks at both sides and does what can be done at once; lets no time pass.
    func look() async {
        await session.look()
    }

    /// Looks at both sides and does all that can be done, past any back-off.
    func sync() async throws {
        await settle()
        for _ in 0..<10 where await !isDone {
            pass(.seconds(120))
            await settle()
        }
    }

    /// Whether nothing is left to do; what waits for its back-off to end is left.
    private var isDone: Bool {
        get async {
            guard await session.isQuiet else { return false }
            return await session.isPlanEmpty
        }
    }

    func report() async throws -> StatusReport {
        try await session.report(daemon: nil, watch: nil)
    }

    // MARK: The folder

    func write(_ text: String, to name: String) throws {
        let path = folder.appending(name)
        try FileManager.default.createDirectory(
            atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path.string))
    }

    /// Writes a file whose directory is there, from wherever it is called.
    static func write(_ text: String, to path: FilePath) throws {
        try Data(text.utf8).write(to: URL(filePath: path.string))
    }

    func read(_ name: String) -> String? {
        FileManager.default.contents(atPath: folder.appending(name).string).map { String(decoding: $0, as: UTF8.self) }
    }

    func delete(_ name: String) throws {
        try FileManager.default.removeItem(atPath: folder.appending(name).string)
    }

    /// Over what is at the new path, if anything.
    func move(_ old: String, to new: String) throws {
        let path = folder.appending(new)
        try FileManager.default.createDirectory(
            atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
        guard rename(folder.appending(old).string, path.string) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Every file's text by its path, without the state directory. What is not ASCII is percent-encoded, since strings
    /// compare by what they show.
    func files() throws -> [String: String] {
        var files: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.string)
        where !name.hasPrefix(".zonefolder") {
            if let text = read(name) {
                files[name.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? name] = text
            }
        }
        return files
    }

    private static let plain = CharacterSet(charactersIn: "!"..."~").subtracting(["%"])

    /// The conflict copies.
    func conflictCopies() throws -> [String] {
        try files().keys.filter { $0.contains(".conflict-") }.sorted()
    }
}

extension FolderSession {
    fileprivate func look() async {
        oweEverything()
        oweDatabaseFetch()
        await cycle()
    }

    /// ``settle()``, on time that is told to pass.
    fileprivate func settle(skipping skipped: EngineDevice.Skipped) async {
        oweEverything()
        oweDatabaseFetch()
        for _ in 0..<Self.longestSettling {
            await cycle()
            if isQuiet, !inbox.isWaiting { break }
            guard let wait = timeUntilNextWork(), wait < Self.longestSettlingWait else { break }
            // A file that is looked at anew because it is too young gets older by the machine's clock only.
            let real = min(wait, .milliseconds(20))
            await inbox.doorbell.wait(timeout: real, on: .system)
            skipped.amount.withLock { $0 += wait - real }
        }
    }
}

/// Lets devices sync in turn until none has anything left to do.
func converge(_ devices: EngineDevice...) async throws {
    for _ in 0..<3 {
        for device in devices { try await device.sync() }
    }
}

/// Closes devices, each of which holds just these files and says that it is in sync.
func expectInSync(
    _ devices: EngineDevice..., with files: [String: String], at place: SourceLocation = #_sourceLocation
) async throws {
    for device in devices {
        // What a test that fails shows are the values.
        let (found, verdict) = (try device.files(), try await device.report().verdict)
        #expect(found == files, sourceLocation: place)
        #expect(verdict == .inSync, sourceLocation: place)
        try device.close()
    }
}

extension FilePath {
    /// The names in this directory.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: string)
    }
}
