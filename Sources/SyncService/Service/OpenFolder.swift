import CloudKitClient
import FolderKnowledge
import FolderSettings
import FolderWatching
import FolderWriting
import LocalFolder
import Logging
import MappedMemory
import RecordMapping
import RemoteZone
import SessionCore
import StateRows
import StateStorage
import SyncEngine
import SyncModel
import SyncTiming
import SystemPackage

/// A folder opened for syncing: locked against a second daemon, its leftovers cleared, its session ready to run.
struct OpenFolder: Sendable {
    let directory: StateDirectory
    let lock: FolderLock
    let store: StateStore
    let session: FolderSession
    let account: FolderAccount
    let inbox: Inbox
    let database: CloudKitDatabase
    let progress: ProgressMeter
    let courier: CourierListener
    let traffic = TrafficMeter()
    /// `nil` where there are no limits.
    private let pace: PacedTransport?
    /// The command of `on_attention`; `nil` where there is none.
    let attentionCommand: String?
    /// `nil` where nobody listens to the folder, as for a single pass.
    let watch: FolderWatch?

    private static let cookies = FolderPath("\(StateDirectory.name)/cookies")!

    /// - Parameters:
    ///   - watches: Whether changes in the folder are to be noticed while the session runs.
    ///   - lock: One that is held already, of the folder that is opened again.
    ///   - isStateReplaced: Whether its state is another one than before, such as a backup had.
    ///   - feeds: Those that it shares with the other folders of the process.
    ///   - network: What the folders of the process know of the network; `nil` where it is not waited for.
    init(
        _ folder: FilePath, transport: any CloudKitTransport, watches: Bool, lock: FolderLock? = nil,
        isStateReplaced: Bool = false, clock: SessionClock = .system,
        feeds: DatabaseFeeds = DatabaseFeeds(), network: NetworkReach? = nil, logger: Logger
    ) throws {
        directory = try StateDirectory.open(in: folder)
        if let outer = directory.outerFolder { throw StateError.nested(directory.folder, in: outer) }
        try directory.prepare()
        if let lock { self.lock = lock } else { self.lock = try FolderLock(of: directory) }
        directory.removeLeftovers()
        let configuration = try FolderConfiguration(of: directory)
        account = try FolderAccount(of: directory, storesAside: watches)
        let root = try FolderRoot(openingToSync: directory.folder)
        // By a descriptor of its own: once SQLite has the file open, closing that would end its locks.
        try StateStore.makeFile(of: directory)
        let stateBorn = root.birth(ofState: "state.sqlite")
        store = try StateStore(of: directory)
        // Its file may be the very one that it was written into, which tells nothing then.
        if isStateReplaced { try store.updateFacts { $0.isCopy = true } }
        // Two who read one courier take each other's pushes away.
        if try store.setHome(directory.home()) {
            logger.info(
                "The folder was copied or moved: it gets a courier of its own", metadata: ["folder": "\(folder)"])
        }
        if try store.setRoot(root.file, stateBorn: stateBorn) {
            logger.info(
                "The folder's disk has another number since the last start", metadata: ["folder": "\(folder)"])
        }
        let writer = try FolderWriter(root: root, device: configuration.device, clock: clock.wall)
        // Before anybody looks at the folder, also where another process has files in staging.
        try writer.endRespellings()
        if let lock = try StagingLock.forClearing(directory) {
            try withExtendedLifetime(lock) { _ = try writer.cleanStaging() }
        }
        var logger = logger
        logger[metadataKey: "folder"] = "\(folder)"
        let trusted = PacedTransport.pacing(
            transport.trusting(try configuration.privateAuthority), by: configuration.limits, clock: clock)
        pace = trusted as? PacedTransport
        database = CloudKitDatabase(
            configuration.databaseAddress, session: account.session,
            transport: network.map { WatchedTransport(transport: trusted, network: $0) } ?? trusted, logger: logger,
            onRequest: traffic.note)
        attentionCommand = configuration.attentionCommand
        let inbox = Inbox(clock: clock)
        let path = Array(directory.folder.string.utf8)
        let watch = watches ? try FolderWatcher.shared().begin(folder: path, receive: inbox.receive) : nil
        _ = watch?.watchCookies(in: Self.cookies)  // Without it `status` never says "in sync".
        var environment = SessionEnvironment(
            configuration: configuration, root: root, writer: writer, store: store, database: database, clock: clock,
            placeWatch: { path in _ = watch?.watch(path) })
        environment.feeds = feeds
        environment.declaredSchema = try ZoneSchema(declaredBy: configuration, of: directory)
        let seat = FeedSeat(
            of: PushListener(news: inbox.news, filter: configuration.pushFilter, zone: configuration.zoneID))
        environment.seat = seat
        environment.network = network
        network?.add(inbox.news)
        environment.leaveWatches = { isLeftOut in watch?.forget(where: isLeftOut) }
        environment.isWatched = watch != nil
        environment.rowMemory = MappedMemory()
        environment.isFullyWatched = { watch?.coverage.unwatched.isEmpty ?? true }
        // The session may outlive the folder, whose lock is free then.
        environment.isStateRemoved = { [weak lock = self.lock] in lock?.isRemoved ?? false }
        environment.stateStanding = { [store] in store.standing(nowMilliseconds: clock.milliseconds) }
        progress = environment.progress
        let session = try FolderSession(environment, inbox: inbox, logger: logger)
        self.inbox = inbox
        self.watch = watch
        self.session = session
        courier = CourierListener(
            database: database, store: store, seat: seat, clock: clock, network: network, logger: logger)
    }

    /// Ends the session; what goes at a person's pace is not waited for.
    func stop(toReload: Bool = false) async {
        await session.stop(toReload: toReload)
        pace?.release()
    }
}
