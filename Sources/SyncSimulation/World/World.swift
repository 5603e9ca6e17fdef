import CloudKitServer
import CloudKitWire
import FolderWriting
import LocalFolder
import Logging
import SessionCore
import SyncEngine
import SyncModel
import SystemPackage

/// Some devices of one person and a server, on time, disks and a network that a seed rules.
///
/// Everything in it happens on the thread that runs it, one thing after another: that is what makes it `Sendable`.
final class World: @unchecked Sendable {
    static let container = "iCloud.org.example.simulation"
    static let zone = "Notes"
    static let logger = Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }

    let time = SimulatedTime()
    let executor = StepExecutor()
    let server: LocalWebServices
    var devices: [SimulatedDevice] = []
    var ledger = Ledger()
    var versions = RecordVersions()
    var trace: Trace
    /// Each device's files as the trace told of them last.
    var toldFolders: [Int: [FolderPath: [UInt8]]] = [:]
    /// What a promise was first broken by.
    var violation: Violation?

    let scheduleSeed: UInt64
    /// Decides the order of what could happen in any order.
    var random: SeededRandom
    var later: [(due: Duration, device: Int, rest: Person.Rest)] = []
    var serverFaults: [(fault: ServerFault, left: Int)] = []
    /// Whether a zone was filled anew, by which a record can lose what its author's file looked like: from then on, what
    /// is equal are the values of a JSON file.
    var isLayoutFree = false
    /// Signed in as the same person.
    let foreign: ForeignApp
    /// Signed in as somebody else, once a device was.
    var stranger: ForeignApp?

    /// Whether each plan has to be the one that a start would make.
    private let checksPlans: Bool

    init(devices: Int, scheduleSeed: UInt64, keepingLines: Int?, checksPlans: Bool = false) throws {
        self.scheduleSeed = scheduleSeed
        self.checksPlans = checksPlans
        random = SeededRandom(seed: scheduleSeed)
        trace = Trace(keeping: keepingLines)
        let time = time
        let bytes = SharedRandom(random.split())
        server = try LocalWebServices(
            baseURL: SimulatedNetwork.baseURL,
            surroundings: StoreSurroundings(now: { time.wall / 1_000_000 }, randomBytes: { bytes.next($0) }),
            logger: Self.logger, pushes: { _ in })
        foreign = ForeignApp(
            server: server,
            user: try server.store.addUser(name: "ada", container: Self.container, environment: "development"))
        for _ in 0..<devices { try addDevice() }
    }

    func addDevice() throws {
        let user = try server.store.addUser(name: "ada", container: Self.container, environment: "development")
        let device = SimulatedDevice(
            number: devices.count, disk: SimulatedDisk(time: time), apiToken: user.apiToken,
            webAuthToken: user.webAuthToken, random: random.split())
        try device.setUp()
        device.startsAt = time.steady
        devices.append(device)
    }

    // MARK: Letting things happen

    /// Lets everything happen that happens until a moment.
    func run(until end: Duration, orUntil isOver: () -> Bool = { false }) {
        var stepsAtOnce = 0
        while violation == nil, !isOver() {
            if random.once(in: 4) { tellWatchers(random.below(devices.count)) }
            if executor.step({ random.below($0) }) {
                remarkFolders()
                stepsAtOnce += 1
                if stepsAtOnce > 400_000 {
                    return fail(.termination, "The product works on and on without any time passing")
                }
                continue
            }
            if let device = devices.first(where: { $0.disk.hasEvents && $0.inbox != nil }) {
                tellWatchers(device.number)
                continue
            }
            let now = time.steady
            for device in devices where device.startsAt.map({ $0 <= now }) == true { start(device) }
            finishDue(now)
            endTroubles()
            remarkFolders()
            let moments = [
                time.nextDue, later.map(\.due).min(), devices.compactMap(\.startsAt).min(),
                devices.compactMap(\.fullUntil).min(), devices.compactMap(\.unmountedUntil).min(),
                devices.compactMap(\.strangerUntil).min(),
            ]
            guard let next = moments.compactMap(\.self).min(), next <= end else {
                if time.steady < end { time.advance(to: end) }
                return
            }
            if next > now {
                stepsAtOnce = 0
                writeBack(next)
            }
            time.advance(to: max(next, now))
        }
    }

    private func tellWatchers(_ number: Int) {
        let device = devices[number]
        guard device.disk.hasEvents, let inbox = device.inbox else { return }
        let events = device.disk.takeEvents()
        if let end = device.deafUntil {
            guard end <= time.steady else { return device.hasLostEvents = true }
            device.deafUntil = nil
        }
        inbox.receive(events)
    }

    private func finishDue(_ now: Duration) {
        while let index = later.firstIndex(where: { $0.due <= now }) {
            let (_, number, rest) = later.remove(at: index)
            finish(rest, on: number)
        }
    }

    func finish(_ rest: Person.Rest, on number: Int) {
        trace.note("\(time.steady) device\(number) finishes \(rest.event)")
        let person = Person(device: number, now: time.wall)
        let device = devices[number]
        refilling(device, by: rest.event) {
            device.disk.act { disk in person.finish(rest, on: &disk, &self.ledger) }
        }
        settleFresh(number)
    }

    /// After half a minute, what was written is on the disk by itself.
    private func writeBack(_ now: Duration) {
        for device in devices where now - device.lastFlush > .seconds(35) { flush(device, at: now) }
    }

    func flush(_ device: SimulatedDevice, at now: Duration) {
        device.lastFlush = now
        device.disk.act { $0.tree.syncAll() }
        ledger.flushed(device.number)
    }

    /// What a program synced is durable at once.
    func settleFresh(_ number: Int) {
        guard let fresh = ledger.fresh[number], !fresh.isEmpty else { return }
        let durable = devices[number].disk.act { $0.tree.durableWords() }
        ledger.settled(number, durable: durable)
    }

    // MARK: Devices

    func start(_ device: SimulatedDevice) {
        let life = Life()
        let number = device.number
        trace.note("\(time.steady) device\(number) starts")
        let network = SimulatedNetwork(
            to: server, time: time, random: device.random.split(),
            fate: { operation in self.fate(of: operation, from: number, life) },
            onAnswer: { operation, body, status, answer in
                self.answered(operation, body, status, answer, to: number)
            })
        do {
            let logger = logger(of: number)
            let omission = try device.start(
                on: executor, life: life, network: network, logger: logger,
                onCall: { call throws(Errno) in try self.beforeCall(call, on: number, life) },
                onDifference: planDifference(of: number))
            if let omission { fail(.storedReasons, "device\(number) would plan as it starts: \(omission)") }
        } catch {
            trace.note("\(time.steady) device\(number) cannot start: \(error)")
            device.kill()
            device.startsAt = time.steady + .seconds(5)
        }
    }

    /// What is done with a plan that a start would not make; `nil`: it is not looked for.
    private func planDifference(of number: Int) -> (@Sendable (String) -> Void)? {
        guard checksPlans else { return nil }
        return { difference in self.fail(.storedReasons, "device\(number) plans \(difference)") }
    }

    /// Silent, but for whoever reads the whole trace.
    private func logger(of number: Int) -> Logger {
        guard trace.limit == nil else { return Self.logger }
        return Logger(label: "device\(number)") { _ in
            TraceLog { line in self.trace.remark("\(self.time.steady) device\(number) logs \(line)") }
        }
    }

    func kill(_ device: SimulatedDevice) {
        device.kill()
        device.startsAt = time.steady + .milliseconds(500 + random.below(4000))
        checkState(of: device)
    }

    /// Before each call that a device's disk gets.
    private func beforeCall(_ call: DiskCall, on number: Int, _ life: Life) throws(Errno) {
        if life.isDead { throw .ioError }
        let device = devices[number]
        if call.isChange {
            device.changes += 1
            device.lastChange = call
        }
        if let armed = device.armed, armed.event.isAwaiting(call) {
            if armed.callsLeft <= 1 {
                device.armed = nil
                perform(armed.event)
                if life.isDead { throw .ioError }
            } else {
                device.armed!.callsLeft -= 1
            }
        }
        if case .write(let inode) = call { checkWrite(inode, device) }
        if case .read(let inode) = call, let bad = device.badFile, bad.inode == inode, time.steady < bad.until {
            throw .ioError
        }
        if let failing = device.failing, failing.fault.concerns(call) {
            device.failing = failing.callsLeft > 1 ? (failing.fault, failing.callsLeft - 1) : nil
            throw failing.fault.errno
        }
    }

    /// Nothing of ours writes into a file that people see.
    private func checkWrite(_ inode: DiskTree.Inode, _ device: SimulatedDevice) {
        let isSeen = device.disk.act { state -> Bool in
            state.tree.nodes[inode]?.places.contains { place in
                state.tree.path(of: place.directory).map { $0.first != SimulatedDisk.stateName } ?? false
            } ?? false
        }
        if isSeen { fail(.oldOrNew, "device\(device.number) writes into a file that stands in the folder") }
    }

    func fail(_ invariant: Violation.Invariant, _ message: String) {
        guard violation == nil else { return }
        violation = Violation(invariant: invariant, message: message)
        trace.note("\(time.steady) BROKEN \(violation!)")
    }
}

extension DiskTree {
    /// The words that would be in the folder after a loss of power whatever else is lost. What the history has is no
    /// promise that a person made: who deletes a file and writes it anew, unsynced, may find neither.
    func durableWords() -> Set<String> {
        var words: Set<String> = []
        // A name that was taken away since may be gone, or not.
        let uncertain = Set(unsynced.flatMap(\.entries).map { Place(directory: $0.directory, name: $0.name) })
        func walk(_ directory: Inode) {
            for (name, inode) in durableNames[directory] ?? [:] {
                guard !uncertain.contains(Place(directory: directory, name: name)), let node = nodes[inode],
                    directory != Self.root || name != SimulatedDisk.stateName
                else { continue }
                if node.isDirectory {
                    walk(inode)
                } else if let content = node.durable, content.bytes == node.bytes {
                    // What was written over since may be lost in both versions.
                    words.formUnion(Ledger.words(in: content.bytes))
                }
            }
        }
        walk(Self.root)
        return words
    }
}

extension WorldEvent {
    /// Whether a call of the disk counts among those that it waits for.
    fileprivate func isAwaiting(_ call: DiskCall) -> Bool {
        if case .atRename = timing { call == .rename } else { true }
    }
}

extension DiskFault {
    var errno: Errno {
        switch self {
        case .inputOutput: .ioError
        case .noSpace: .noSpace
        case .noPermission: .permissionDenied
        }
    }

    /// Whether a call fails by it.
    func concerns(_ call: DiskCall) -> Bool {
        switch self {
        case .inputOutput: true
        case .noSpace:
            switch call {
            case .makeFile, .makeDirectory, .write, .rename: true
            default: false
            }
        case .noPermission:
            switch call {
            case .look, .list, .makeFile, .rename, .remove: true
            default: false
            }
        }
    }
}

extension World {
    /// Ends all that runs, so that nothing of the world is left.
    func end() {
        for device in devices { device.kill() }
        // The dead notice that they are at their next step.
        for _ in 0..<10_000 {
            if executor.step({ random.below($0) }) { continue }
            guard let next = time.nextDue else { break }
            time.advance(to: next)
        }
    }
}
