import CloudKitClient
import CloudKitServer
import FolderSettings
import FolderWriting
import LocalFolder
import Logging
import SessionCore
import StateStorage
import SyncEngine
import SyncModel
import SyncService
import SyncTiming
import SystemPackage

/// A machine with a folder, a disk and a network, on which the product runs, dies and is started again.
final class SimulatedDevice {
    let number: Int
    let disk: SimulatedDisk
    let medium = SimulatedMedium()
    let tokens: SimulatedTokens
    private(set) var apiToken: String
    /// The person's own, while somebody else is signed in.
    private var own: (apiToken: String, token: WebAuthToken?)?
    var random: SeededRandom

    /// The run under way.
    private(set) var life: Life?
    private(set) var session: FolderSession?
    private(set) var inbox: Inbox?
    private var task: Task<Void, Never>?

    /// When the product is started again.
    var startsAt: Duration?
    /// What happens at the so-manieth call from now on.
    var armed: (event: WorldEvent, callsLeft: Int)?
    var failing: (fault: DiskFault, callsLeft: Int)?
    var fullUntil: Duration?
    /// A file that cannot be read.
    var badFile: (inode: DiskTree.Inode, until: Duration)?
    /// How long events are lost without a sign of it.
    var deafUntil: Duration?
    var unmountedUntil: Duration?
    var offlineUntil: Duration?
    var flakyUntil: Duration?
    /// What its person had in each JSON file as the power failed last, by the file's number.
    private var remembered: [DiskTree.Inode: [UInt8]] = [:]
    /// Whether its person lets others answer for a zone that somebody ended.
    var neverApproves = false
    /// How long somebody else is signed in.
    var strangerUntil: Duration?
    /// Whether events were lost since the start without a sign of it: what nobody told, the product cannot know.
    var hasLostEvents = false
    /// How many calls changed its disk.
    var changes = 0
    /// The last change of the disk.
    var lastChange: DiskCall?
    /// How many requests it made.
    var requests = 0
    var lastFlush = Duration.zero
    /// Words in assets that went to the server.
    var sentWords: Set<String> = []
    /// Those among them that no record holds yet.
    var uploadedWords: Set<String> = []

    init(number: Int, disk: SimulatedDisk, apiToken: String, webAuthToken: String, random: SeededRandom) {
        self.number = number
        self.disk = disk
        self.apiToken = apiToken
        self.random = random
        tokens = SimulatedTokens(webAuthToken)
    }

    var name: String { "device\(number)" }

    /// Lets its person know for later what they have in their JSON files.
    func rememberNotes() {
        for (path, bytes) in disk.files() where path.isJSON && Contents.isObject(bytes) {
            if let inode = disk.act({ try? $0.file(at: path).inode }) { remembered[inode] = bytes }
        }
    }

    /// What its person had in a JSON file as the power failed, wherever the file was then.
    func rememberedNote(at path: FolderPath) -> [UInt8]? {
        disk.act { try? $0.file(at: path).inode }.flatMap { remembered[$0] }
    }

    var configuration: FolderConfiguration {
        var configuration = FolderConfiguration(container: World.container, zone: World.zone, device: name)
        configuration.server = SimulatedNetwork.baseURL
        return configuration
    }

    /// What the file `credentials` of each device holds: no request may.
    static let secret = Array("secret of this device".utf8)

    /// Makes the folder one that is synced, as `init` does.
    func setUp() throws {
        let now = disk.time.wall
        try disk.act { state throws(Errno) in
            let directory = try state.tree.make(
                SimulatedDisk.stateName, in: DiskTree.root, isDirectory: true, mode: 0o700, now: now)
            let file = try state.tree.make(
                Array("credentials".utf8), in: directory, isDirectory: false, mode: 0o600, now: now)
            try state.tree.change(file, now: now) { $0.bytes = Self.secret }
            state.tree.syncAll()
        }
    }

    /// Starts the product.
    /// - Parameters:
    ///   - onCall: See ``DeviceDisk``.
    ///   - onDifference: Told what a plan would be after a start, where that is another one (``PlanCheck``); `nil`: it is not
    ///     looked for.
    /// - Returns: What its first plan leaves out by what is stored (``StartCheck``).
    func start(
        on executor: StepExecutor, life: Life, network: SimulatedNetwork, logger: Logger,
        onCall: @escaping @Sendable (DiskCall) throws(Errno) -> Void, onDifference: (@Sendable (String) -> Void)?
    ) throws -> String? {
        startsAt = nil
        hasLostEvents = false
        // From here on it can die, in the midst of its start as well.
        self.life = life
        let (time, clock) = (disk.time, disk.time.clock)
        disk.act { state in
            state.watched = []
            state.events = []
        }
        let disk = DeviceDisk(disk, random: random.split(), onCall: onCall)
        let root = try FolderRoot(opening: FilePath(SimulatedDisk.folder), on: disk)
        let writer = try FolderWriter(root: root, device: name, clock: clock.wall)
        try writer.cleanStaging()
        let store = try StateStore(on: LifeMedium(medium: medium, life: life))
        let database = CloudKitDatabase(
            configuration.databaseAddress,
            session: WebAuthSession(apiToken: apiToken, store: LifeTokens(tokens: tokens, life: life)),
            transport: network, logger: logger, now: { time.steady })
        let watched = self.disk
        var environment = SessionEnvironment(
            configuration: configuration, root: root, writer: writer, store: store, database: database, clock: clock,
            random: random.split(), placeWatch: { watched.watch($0) })
        environment.executor = executor
        environment.isWatched = true
        // Most folders here have few files, and a look is to be interrupted all the same.
        environment.filesAtATime = 2
        if let onDifference {
            environment.willPlan = { [configuration] planner, trees in
                guard !life.isDead else { return }
                do {
                    guard let difference = try PlanCheck.difference(planner, trees, in: store, configuration) else {
                        return
                    }
                    onDifference(difference)
                } catch {
                    onDifference("The stored trees cannot be read: \(error)")
                }
            }
        }
        let inbox = Inbox(clock: clock)
        let session = try FolderSession(environment, inbox: inbox, logger: logger)
        self.inbox = inbox
        self.session = session
        let omission = try StartCheck.omission(in: store, configuration)
        task = Task(executorPreference: executor) { await session.run() }
        return omission
    }

    /// Puts somebody else's credentials in place of the person's own, for the next start.
    func signInOther(_ user: NewUser) {
        own = (apiToken, tokens.exchange(WebAuthToken(user.webAuthToken)))
        apiToken = user.apiToken
    }

    /// Puts the person's own credentials back, for the next start.
    func signInSelf() {
        guard let own else { return }
        _ = tokens.exchange(own.token)
        apiToken = own.apiToken
        self.own = nil
    }

    /// Ends the run as SIGKILL does.
    func kill() {
        life?.die()
        task?.cancel()
        life = nil
        session = nil
        inbox = nil
        task = nil
        armed = nil
    }
}
