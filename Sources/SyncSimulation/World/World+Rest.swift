import FolderControl
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
        uncoverAll()
        run(until: time.steady + .seconds(10))
        settle()
        guard violation == nil else { return }
        checkHolds()
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

    /// Takes all links away: what they are in the place of is in sync nowhere.
    private func uncoverAll() {
        for device in devices {
            let person = Person(device: device.number, now: time.wall)
            if device.disk.act({ person.uncoverAll(on: &$0) }) {
                trace.note("\(time.steady) device\(device.number) takes its links away")
            }
        }
    }

    /// Mends JSON that a power failure cut off, which is not synced as it is: with another device's version of the same note,
    /// or with what the person had in it, or else with an empty object.
    private func mendBrokenFiles() {
        let folders = devices.map { $0.disk.files() }
        for device in devices {
            let person = Person(device: device.number, now: time.wall)
            for (path, bytes) in folders[device.number].sorted(by: { $0.key < $1.key })
            where path.isJSON && !Contents.isObject(bytes) {
                let remembered = device.rememberedNote(at: path)
                let words = remembered.map { Ledger.words(in: $0) }
                // What others have at the path is another note where this one was moved there.
                let others = folders.lazy.compactMap { $0[path] }.first { other in
                    Contents.isObject(other) && words.map { !$0.isDisjoint(with: Ledger.words(in: other)) } ?? true
                }
                let whole = others ?? remembered ?? Array("{}\n".utf8)
                device.disk.act { person.mend(path, with: whole, on: &$0, &self.ledger) }
            }
        }
    }

    /// Lets time pass until nobody has anything left to do; what waits for a person's word gets it.
    private func settle() {
        for round in 0..<80 where violation == nil {
            // No multiple of the time between two polls: every look might fall into one.
            run(until: time.steady + .seconds(round < 40 ? 65 : 607))
            mendBrokenFiles()
            // What a person does in this moment is no rest, though nobody may have seen it yet.
            guard !answerAll(isLate: round > 2) else { continue }
            if round > 2, devices.allSatisfy({ isSettled($0) }), isEqualEverywhere { return }
        }
    }

    func isSettled(_ device: SimulatedDevice) -> Bool {
        guard let session = device.session else { return false }
        guard let report = ask({ try? await session.report(daemon: nil, watch: nil) }) ?? nil else { return false }
        return [.inSync, .attention].contains(report.verdict)
    }

    /// Of files that name another one that is not there, or lies outside the folder.
    private static let gaveUp = [Problem.Code.missingAsset, .wrongType].map(\.rawValue)

    /// - Parameter isLate: Whether who names a file or refers to a record that is not there gives it up, and who lets others answer for a zone that
    ///   nobody has filled answers after all: nobody else has anything to fill it with.
    /// - Returns: Whether there was anything to answer.
    func answerAll(isLate: Bool) -> Bool {
        var hasAnswered = false
        for device in devices {
            guard let session = device.session,
                let report = ask({ try? await session.report(daemon: nil, watch: nil) }) ?? nil
            else { continue }
            for held in report.held where isLate && Self.gaveUp.contains(held.code) {
                let person = Person(device: device.number, now: time.wall)
                trace.note("\(time.steady) device\(device.number) detaches what \(held.path) names")
                guard let path = FolderPath(held.path) else { continue }
                hasAnswered = true
                let folders = devices.filter { $0.number != device.number }.map { $0.disk.files() }
                device.disk.act { disk in
                    person.giveUpAttachment(of: path, on: &disk, &self.ledger) { file in folders.compactMap { $0[file] }
                    }
                }
            }
            let referring = report.held.filter { isLate && $0.code == Problem.Code.referenceRefused.rawValue }
            if giveUpReferences(of: referring.compactMap { FolderPath($0.path) }, on: device) { hasAnswered = true }
            guard let batch = Self.batch(in: report) else { continue }
            if batch == Self.zoneBatch, device.neverApproves, !isLate || foreign.hasRecords { continue }
            trace.note("\(time.steady) device\(device.number) approves \(batch)")
            _ = ask { await session.approved(batch) }
            hasAnswered = true
        }
        return hasAnswered
    }

    /// Takes the references out of files that cannot be sent for theirs; out of all files for one whose record others keep: it was
    /// deleted, or is to become a record of another kind.
    private func giveUpReferences(of held: [FolderPath], on device: SimulatedDevice) -> Bool {
        guard !held.isEmpty else { return false }
        let person = Person(device: device.number, now: time.wall)
        let files = device.disk.files()
        let isKept = held.contains { path in files[path].map { !ReferredFile.isNamed(in: $0) } ?? true }
        for path in isKept ? files.keys.filter(\.isJSON).sorted() : held {
            trace.note("\(time.steady) device\(device.number) gives up what \(path) refers to")
            device.disk.act { person.giveUpReference(of: path, on: &$0, &self.ledger) }
        }
        return true
    }

    /// What waits for a person's word, as `approve` names it.
    static func batch(in report: StatusReport) -> String? {
        if let approval = report.approval { return approval.batch }
        return report.held.contains { $0.code == "zoneVanished" } ? zoneBatch : nil
    }

    static let zoneBatch = "zone"

    /// Runs the world until a question is answered.
    func ask<Answer: Sendable>(_ question: @escaping @Sendable () async -> Answer) -> Answer? {
        let box = Box<Answer>()
        Task(executorPreference: executor) { box.value = await question() }
        run(until: time.steady + .seconds(30)) { box.value != nil }
        return box.value
    }

    // MARK: Checks

    /// A zone that has records again is held by nobody: who does not answer goes on as well.
    private func checkHolds() {
        guard foreign.hasRecords else { return }
        for device in devices {
            guard let session = device.session,
                let report = ask({ try? await session.report(daemon: nil, watch: nil) }) ?? nil,
                Self.batch(in: report) == Self.zoneBatch
            else { continue }
            fail(.everyHoldEnds, "device\(device.number) still holds a zone that others have filled: \(report.held)")
        }
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
        // told, such as a new mode of a file, is found by the next look at the whole folder, and what parted from its place
        // thereby is looked for in two more, an hour apart, before it is forgotten.
        run(until: time.steady + .seconds(devices.contains { $0.hasLostEvents } ? 11_000 : 70))
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
}

/// A place for an answer.
private final class Box<Value: Sendable>: @unchecked Sendable {
    // Written and read on the one thread of its world.
    var value: Value?
}
