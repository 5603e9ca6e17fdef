import CloudKitServer
import FolderWatching
import SessionCore
import SyncEngine

/// What the workload asks for.
extension World {
    /// Lets an event happen at its time.
    func takeUp(_ event: WorldEvent) {
        random = SeededRandom(seed: scheduleSeed &+ UInt64(event.number + 1) &* 0x9E37_79B9_7F4A_7C15)
        switch event.timing {
        case .after(let milliseconds):
            run(until: time.steady + .milliseconds(milliseconds))
            if violation == nil { perform(event) }
        case .atCall(let number), .atRename(let number):
            let device = devices[event.device]
            device.armed = (event, number)
            run(until: time.steady + .seconds(20)) { device.armed == nil }
            if device.armed != nil, violation == nil {
                device.armed = nil
                perform(event)
            }
        }
    }

    /// Lets an event happen now.
    func perform(_ event: WorldEvent) {
        trace.note("\(time.steady) \(event.line)")
        let device = devices[event.device]
        let now = time.steady
        switch event.act {
        case .save, .rename, .moveFolder, .delete, .deleteFolder, .copy, .link, .setExecutable, .rotate, .ignore,
            .attach, .detach, .renameAttached, .refer, .cover, .uncover:
            guard device.unmountedUntil.map({ $0 <= now }) ?? true else { return }
            let person = Person(device: event.device, now: time.wall)
            let rest = refilling(device, by: event.number) {
                device.disk.act { disk in person.act(event.act, number: event.number, on: &disk, &self.ledger) }
            }
            if let rest {
                later.append((now + .milliseconds(random.below(2500)), event.device, rest))
            }
            settleFresh(event.device)
        case .kill: kill(device)
        case .powerLoss: losePower(device)
        case .flush: flush(device, at: now)
        case .stepClock(let seconds): time.setWall(by: .seconds(seconds))
        case .loseEvents(let milliseconds): device.deafUntil = now + .milliseconds(milliseconds)
        case .overflow:
            _ = device.disk.takeEvents()
            device.inbox?.receive([.overflow])
        case .diskError(let fault, let calls): device.failing = (fault, calls)
        case .diskFull(let milliseconds):
            device.disk.act { $0.tree.capacity = $0.tree.used }
            device.fullUntil = now + .milliseconds(milliseconds)
        case .badFile(let milliseconds):
            guard let open = later.first(where: { $0.device == event.device })?.rest.inode else { return }
            device.badFile = (open, now + .milliseconds(milliseconds))
        case .databaseError: device.medium.failNext()
        case .unmount(let milliseconds):
            device.disk.act { $0.isMounted = false }
            device.unmountedUntil = now + .milliseconds(milliseconds)
        case .partition(let milliseconds): device.offlineUntil = now + .milliseconds(milliseconds)
        case .flaky(let milliseconds): device.flakyUntil = now + .milliseconds(milliseconds)
        case .serverFault(let fault, let requests): serverFaults.append((fault, requests))
        case .foreignSave(let name): foreignSave(name, event.number)
        case .foreignAttach(let name): foreignAttach(name, event.number)
        case .foreignDelete(let name): foreignDelete(name, event.number)
        case .foreignEndZone(let ending): foreignEndZone(ending, event.number)
        case .askStatus: askStatus(of: device)
        case .approve: approve(on: device)
        case .neverApprove: device.neverApproves = true
        case .otherAccount(let milliseconds): signInOther(on: device, until: now + .milliseconds(milliseconds))
        }
    }

    /// Lets a person act, and notes where they put a new file in the place of one that they had moved away, as others have it
    /// who were not told of all that happened to it.
    func refilling<Result>(_ device: SimulatedDevice, by number: Int, _ act: () -> Result) -> Result {
        let disk = device.disk
        let left = ledger.placesLeft(on: device.number) { path in disk.act { (try? $0.file(at: path)) == nil } }
        let result = act()
        for path in left where disk.act({ (try? $0.file(at: path)) != nil }) {
            let own = disk.files().values.flatMap { Ledger.words(in: $0) }
            // Who was told all would have told the zone that there is another one.
            let others = devices.filter { $0 !== device && $0.hasLostEvents }.compactMap { $0.disk.files()[path] }
            ledger.refilled(
                path, by: number, on: device.number, kept: Set(own),
                others: Set(others.flatMap { Ledger.words(in: $0) }))
        }
        return result
    }

    /// Ends what has lasted long enough.
    func endTroubles(all: Bool = false) {
        let now = time.steady
        for device in devices {
            if let end = device.fullUntil, all || end <= now {
                device.fullUntil = nil
                device.disk.act { $0.tree.capacity = .max }
            }
            if let end = device.unmountedUntil, all || end <= now {
                device.unmountedUntil = nil
                device.disk.act { $0.isMounted = true }
            }
            if let end = device.strangerUntil, all || end <= now {
                device.strangerUntil = nil
                kill(device)
                device.signInSelf()
            }
            if all {
                device.failing = nil
                device.offlineUntil = nil
                device.flakyUntil = nil
                device.badFile = nil
                device.deafUntil = nil
            }
        }
        if all { serverFaults = [] }
    }

    private func losePower(_ device: SimulatedDevice) {
        kill(device)
        later.removeAll { $0.device == device.number }
        let durable = device.disk.act { $0.tree.durableWords() }
        device.rememberNotes()
        ledger.lostPower(device.number, durable: durable)
        let (now, wall) = (time.steady, time.wall)
        var random = random.split()
        device.disk.act { $0.tree.losePower(&random, now: wall) }
        device.medium.losePower(&random)
        device.lastFlush = now
        for bytes in device.disk.files().values { ledger.found(bytes) }
    }

    // MARK: Somebody else's app

    private func foreignSave(_ name: String, _ number: Int) {
        let word = "w\(number)f"
        let old = foreign.texts(of: name)["title"]
        guard let record = foreign.save(title: word, of: name) else { return }
        versions.saved(record)
        ledger.wrote(Array("\"\(word)\"".utf8), over: old, by: number, on: -1)
    }

    private func foreignAttach(_ name: String, _ number: Int) {
        let bytes = Contents.attachment(by: number)
        let old = foreign.texts(of: name)[AttachedFile.field]
        guard let record = foreign.save(bytes, in: AttachedFile.field, of: name) else { return }
        versions.saved(record)
        ledger.wrote(bytes, over: old, by: number, on: -1)
    }

    private func foreignDelete(_ name: String, _ number: Int) {
        let old = foreign.texts(of: name)
        guard foreign.delete(name) else { return }
        for text in old.values { ledger.deleted(text, by: number) }
    }

    /// What is in the zone alone goes with it; what a folder has stays.
    private func foreignEndZone(_ ending: ZoneEnding, _ number: Int) {
        let old = (foreign.changes() ?? []).flatMap { foreign.texts(of: $0).values }
        foreign.endZone(remaking: ending == .remake)
        isLayoutFree = true
        let kept = devices.reduce(into: Set<String>()) { words, device in
            for bytes in device.disk.files().values { words.formUnion(Ledger.words(in: bytes)) }
        }
        for text in old { ledger.deleted(text, by: number, except: kept) }
    }

    // MARK: People at the product

    /// Approves what waits for it, if anything does.
    private func approve(on device: SimulatedDevice) {
        guard let session = device.session else { return }
        let neverApproves = device.neverApproves
        Task(executorPreference: executor) {
            guard let report = try? await session.report(daemon: nil, watch: nil),
                let batch = World.batch(in: report), batch != World.zoneBatch || !neverApproves
            else { return }
            _ = await session.approved(batch)
        }
    }

    /// Starts the product again with somebody else's credentials.
    private func signInOther(on device: SimulatedDevice, until end: Duration) {
        // A folder that no account was seen with yet would belong to this one.
        guard device.strangerUntil == nil, knowsAccount(device) else { return }
        do {
            if stranger == nil {
                stranger = ForeignApp(
                    server: server,
                    user: try server.store.addUser(
                        name: "eve", container: Self.container, environment: "development"))
            }
            let session = try server.store.addUser(
                name: "eve", container: Self.container, environment: "development")
            kill(device)
            device.signInOther(session)
            device.strangerUntil = end
        } catch {
            fail(.termination, "Nobody else can sign in: \(error)")
        }
    }
}
