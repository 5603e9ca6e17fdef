import CloudKitServer
import Logging
import SessionCore
import SyncModel

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
    let checksPlans: Bool

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

    func fail(_ invariant: Violation.Invariant, _ message: String) {
        guard violation == nil else { return }
        violation = Violation(invariant: invariant, message: message)
        trace.note("\(time.steady) BROKEN \(violation!)")
    }
}
