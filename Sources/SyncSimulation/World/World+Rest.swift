import LosslessJSON
import StateStorage
import SyncEngine
import SyncModel

/// How a world comes to rest, and what has to hold then.
extension World {
    /// Ends all trouble, lets everybody finish, and checks what has to hold.
    func comeToRest() {
        random = SeededRandom(seed: scheduleSeed ^ 0x5DEE_CE66)
        endTroubles(all: true)
        for device in devices {
            if let armed = device.armed {
                device.armed = nil
                perform(armed.event)
            }
        }
        endTroubles(all: true)
        ignoreNothing()
        run(until: time.steady + .seconds(10))
        settle()
        guard violation == nil else { return }
        checkConvergence()
        checkWords()
        for device in devices { checkState(of: device) }
        if stranger?.hasZone == true { fail(.confinement, "Somebody else's account got the zone") }
        checkCopies()
        guard violation == nil else { return }
        checkQuiet()
        checkWitness()
    }

    /// Takes all rules back, so that everything has to become equal everywhere.
    private func ignoreNothing() {
        for device in devices where device.disk.files()[Person.ignoreFile] != nil {
            let person = Person(device: device.number, now: time.wall)
            device.disk.act { person.ignoreNothing(on: &$0, &self.ledger) }
        }
    }

    /// Mends JSON that a power failure cut off, which is not synced as it is: with another device's version of the file,
    /// or else with an empty object.
    private func mendBrokenFiles() {
        let folders = devices.map { $0.disk.files() }
        for device in devices {
            let person = Person(device: device.number, now: time.wall)
            for (path, bytes) in folders[device.number].sorted(by: { $0.key < $1.key })
            where path.isJSON && !Self.isObject(bytes) {
                let whole = folders.lazy.compactMap { $0[path] }.first { Self.isObject($0) }
                device.disk.act { person.mend(path, with: whole ?? Array("{}\n".utf8), on: &$0, &self.ledger) }
            }
        }
    }

    private static func isObject(_ bytes: [UInt8]) -> Bool {
        (try? JSONDocument(parsing: bytes))?.root.kind == .object
    }

    /// Lets time pass until nobody has anything left to do; what waits for a person's word gets it.
    private func settle() {
        for round in 0..<80 where violation == nil {
            run(until: time.steady + .seconds(round < 40 ? 65 : 600))
            mendBrokenFiles()
            approveAll()
            if round > 2, devices.allSatisfy({ isSettled($0) }), isEqualEverywhere { return }
        }
    }

    private func isSettled(_ device: SimulatedDevice) -> Bool {
        guard let session = device.session else { return false }
        guard let report = ask({ try? await session.report(daemon: nil, watch: nil) }) ?? nil else { return false }
        return [.inSync, .attention].contains(report.verdict)
    }

    private func approveAll() {
        for device in devices {
            guard let session = device.session,
                let report = ask({ try? await session.report(daemon: nil, watch: nil) }) ?? nil,
                let batch = Self.batch(in: report)
            else { continue }
            trace.note("\(time.steady) device\(device.number) approves \(batch)")
            _ = ask { await session.approved(batch) }
        }
    }

    /// What waits for a person's word, as `approve` names it.
    static func batch(in report: StatusReport) -> String? {
        if let approval = report.approval { return approval.batch }
        return report.held.contains { $0.code == "zoneVanished" } ? "zone" : nil
    }

    /// Runs the world until a question is answered.
    func ask<Answer: Sendable>(_ question: @escaping @Sendable () async -> Answer) -> Answer? {
        let box = Box<Answer>()
        Task(executorPreference: executor) { box.value = await question() }
        run(until: time.steady + .seconds(30)) { box.value != nil }
        return box.value
    }

    // MARK: Checks

    /// What of a folder has to be the same everywhere.
    private func shared(_ device: SimulatedDevice) -> [FolderPath: [UInt8]] {
        shared(device.disk.files())
    }

    func shared(_ files: [FolderPath: [UInt8]]) -> [FolderPath: [UInt8]] {
        var shared: [FolderPath: [UInt8]] = [:]
        for (path, bytes) in files {
            let name = String(decoding: path.leaf, as: UTF8.self)
            guard !name.contains(".conflict-"), !name.hasSuffix("~"), !name.hasPrefix(".goutputstream") else {
                continue
            }
            shared[path] = isLayoutFree ? Self.values(bytes, at: path) : bytes
        }
        return shared
    }

    /// The members of a JSON file in the order of their keys; any other file as it is.
    private static func values(_ bytes: [UInt8], at path: FolderPath) -> [UInt8] {
        guard path.isJSON, let document = try? JSONDocument(parsing: bytes) else { return bytes }
        let members = document.root.members.map { "\($0.key): \(String(decoding: $0.value.text, as: UTF8.self))" }
        return Array(members.sorted().joined(separator: "\n").utf8)
    }

    /// Which of the files that have to be the same everywhere can be executed; a structured file has no such mark.
    private func executables(_ device: SimulatedDevice) -> Set<FolderPath> {
        Set(shared(device.disk.executables()).keys.filter { !$0.isJSON })
    }

    private var isEqualEverywhere: Bool {
        let first = (shared(devices[0]), executables(devices[0]))
        return devices.dropFirst().allSatisfy { (shared($0), executables($0)) == first }
    }

    private func checkConvergence() {
        let first = shared(devices[0])
        for device in devices.dropFirst() {
            if let difference = Self.difference(first, shared(device)) {
                return fail(
                    .convergence, "device0 and device\(device.number) do not become equal: \(difference)\(standings())")
            }
        }
        for device in devices.dropFirst() {
            guard let path = executables(devices[0]).symmetricDifference(executables(device)).min() else { continue }
            return fail(
                .convergence, "\(path) can be executed on one of device0 and device\(device.number)\(standings())")
        }
        for device in devices {
            guard let session = device.session,
                let report = ask({ try? await session.report(daemon: nil, watch: nil) }) ?? nil
            else { return fail(.convergence, "device\(device.number) does not run") }
            guard [.inSync, .attention].contains(report.verdict) else {
                return fail(
                    .convergence, "device\(device.number) never comes to rest: \(report.verdict), \(report.reason)")
            }
        }
    }

    /// How every device sees itself, for the message.
    private func standings() -> String {
        devices.map { device in
            guard let session = device.session,
                let report = ask({ try? await session.report(daemon: nil, watch: nil) }) ?? nil
            else { return "; device\(device.number) does not run" }
            let held = report.held.map { "\($0)" }.joined(separator: ", ")
            return "; device\(device.number) says \(report.verdict): \(report.reason) [\(held)]"
        }.joined()
    }

    static func difference(_ first: [FolderPath: [UInt8]], _ second: [FolderPath: [UInt8]]) -> String? {
        for path in Set(first.keys).union(second.keys).sorted() where first[path] != second[path] {
            let texts = [first[path], second[path]].map { bytes in
                bytes.map { String(decoding: $0, as: UTF8.self).split(separator: "\n").joined(separator: "|") }
                    ?? "none"
            }
            return "\(path) is \(texts[0]) and \(texts[1])"
        }
        return nil
    }

    /// Every word that has to be somewhere is in sight of a person; nothing is there that nobody wrote.
    private func checkWords() {
        var present: Set<String> = []
        for device in devices {
            for (path, bytes) in device.disk.files() {
                present.formUnion(Ledger.words(in: bytes))
                if let invention = ledger.invention(in: bytes, at: path) {
                    fail(.noInventedBytes, "device\(device.number) has \(path), and \(invention)")
                }
            }
        }
        let missing = ledger.missing(from: present)
        guard let word = missing.first else { return }
        let places = devices.filter { device in
            device.disk.history().values.contains { Ledger.words(in: $0).contains(word) }
        }.map { "device\($0.number)" }
        fail(
            places.isEmpty ? .noLostBytes : .deletesHaveProof,
            "\(missing.joined(separator: ", ")) was never overwritten or deleted by anybody, and is in no folder"
                + (places.isEmpty ? "" : ", but in the history of \(places.joined(separator: ", "))"))
    }

    /// A save makes one copy at most.
    private func checkCopies() {
        for device in devices {
            let copies = device.disk.files().keys.filter { $0.description.contains(".conflict-") }.count
            let limit = ledger.contents.count
            if copies > limit {
                fail(.noAmplification, "device\(device.number) has \(copies) copies of \(limit) saves")
            }
        }
    }

    /// At rest nothing is written and nothing is sent.
    private func checkQuiet() {
        // The last news came by pushes; the next look at the database says so again, and that is stored. What nobody
        // told, such as a new mode of a file, is found by the next look at the whole folder.
        run(until: time.steady + .seconds(devices.contains { $0.hasLostEvents } ? 3700 : 130))
        let before = devices.map { (changes: $0.changes, commits: $0.medium.commits, requests: $0.requests) }
        let files = devices.map { $0.disk.files() }
        run(until: time.steady + .seconds(200))
        for (device, before) in zip(devices, before) {
            let commits = device.medium.commits - before.commits
            if commits > 0 {
                fail(.quietAtRest, "device\(device.number) writes to its state \(commits) times while nothing happens")
            }
            let changes = device.changes - before.changes
            if changes > 0 {
                fail(
                    .quietAtRest,
                    "device\(device.number) changes its disk \(changes) times while nothing happens, "
                        + "last by \(device.lastChange.map { "\($0)" } ?? "nothing")")
            }
            let requests = device.requests - before.requests
            if requests > 4 {
                fail(
                    .quietAtRest, "device\(device.number) makes \(requests) requests in 200 s in which nothing happens")
            }
        }
        if devices.map({ $0.disk.files() }) != files { fail(.quietAtRest, "A folder changes while nothing happens") }
    }

    /// A device that comes new sees the same: what all have is what the server has.
    private func checkWitness() {
        guard violation == nil else { return }
        let before = shared(devices[0])
        do { try addDevice() } catch { return fail(.convergence, "A new device cannot be set up: \(error)") }
        let witness = devices[devices.count - 1]
        for _ in 0..<20 where violation == nil {
            run(until: time.steady + .seconds(65))
            if isSettled(witness), shared(witness) == before { break }
        }
        if let difference = Self.difference(before, shared(witness)) {
            fail(.convergence, "A new device sees something else than the others: \(difference)\(standings())")
        } else if let difference = Self.difference(before, shared(devices[0])) {
            fail(.convergence, "A new device changed the others: \(difference)")
        }
    }
}

extension FolderPath {
    fileprivate var isJSON: Bool { bytes.suffix(5).elementsEqual(Array(".json".utf8)) }
}

/// A place for an answer.
private final class Box<Value: Sendable>: @unchecked Sendable {
    // Written and read on the one thread of its world.
    var value: Value?
}
