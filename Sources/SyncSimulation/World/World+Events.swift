import CloudKitServer
import CloudKitWire
import FolderWatching
import SyncEngine
import SyncModel

/// What the workload asks for.
extension World {
    /// Lets an event happen at its time.
    func takeUp(_ event: WorldEvent) {
        random = SeededRandom(seed: scheduleSeed &+ UInt64(event.number + 1) &* 0x9E37_79B9_7F4A_7C15)
        switch event.timing {
        case .after(let milliseconds):
            run(until: time.steady + .milliseconds(milliseconds))
            if violation == nil { perform(event) }
        case .atCall(let number):
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
        case .save, .rename, .moveFolder, .delete, .deleteFolder, .copy, .setExecutable:
            guard device.unmountedUntil.map({ $0 <= now }) ?? true else { return }
            let person = Person(device: event.device, now: time.wall)
            let rest = device.disk.act { disk in
                person.act(event.act, number: event.number, on: &disk, &self.ledger)
            }
            if let rest {
                later.append((now + .milliseconds(random.below(2500)), event.device, rest))
            }
            settleFresh(event.device)
        case .kill: kill(device)
        case .powerLoss: losePower(device)
        case .flush: flush(device, at: now)
        case .stepClock(let seconds): time.setWall(by: .seconds(seconds))
        case .loseEvents: _ = device.disk.takeEvents()
        case .overflow:
            _ = device.disk.takeEvents()
            device.inbox?.receive([.overflow])
        case .diskError(let fault, let calls): device.failing = (fault, calls)
        case .diskFull(let milliseconds):
            device.disk.act { $0.tree.capacity = $0.tree.used }
            device.fullUntil = now + .milliseconds(milliseconds)
        case .databaseError: device.medium.failNext()
        case .unmount(let milliseconds):
            device.disk.act { $0.isMounted = false }
            device.unmountedUntil = now + .milliseconds(milliseconds)
        case .partition(let milliseconds): device.offlineUntil = now + .milliseconds(milliseconds)
        case .flaky(let milliseconds): device.flakyUntil = now + .milliseconds(milliseconds)
        case .serverFault(let fault, let requests): serverFaults.append((fault, requests))
        case .foreignSave(let name): foreignSave(name, event.number)
        case .foreignDelete(let name): foreignDelete(name, event.number)
        }
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
            if all {
                device.failing = nil
                device.offlineUntil = nil
                device.flakyUntil = nil
            }
        }
        if all { serverFaults = [] }
    }

    private func losePower(_ device: SimulatedDevice) {
        kill(device)
        later.removeAll { $0.device == device.number }
        let durable = device.disk.act { $0.tree.durableWords() }
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
        let old = foreignWords(name)
        let type = String(name.prefix { $0 != "/" })
        let answer = foreignCall(
            "records/modify",
            #"{"operations":[{"operationType":"forceUpdate","record":{"recordName":"\#(name)","recordType":"\#(type)","fields":{"title":{"value":"\#(word)"}}}}],"zoneID":{"zoneName":"\#(Self.zone)"}}"#
        )
        guard answer.contains(word) else { return }
        ledger.wrote(
            Array("\"\(word)\"".utf8), over: old.first.map { Array($0.utf8) }, by: number, on: -1)
    }

    private func foreignDelete(_ name: String, _ number: Int) {
        let old = foreignWords(name)
        let answer = foreignCall(
            "records/modify",
            #"{"operations":[{"operationType":"forceDelete","record":{"recordName":"\#(name)"}}],"zoneID":{"zoneName":"\#(Self.zone)"}}"#
        )
        guard answer.contains("\"deleted\"") else { return }
        for value in old { ledger.deleted(Array(value.utf8), by: number) }
    }

    /// The values of a record's fields, the title's first.
    private func foreignWords(_ name: String) -> [String] {
        let answer = foreignCall(
            "records/lookup", #"{"records":[{"recordName":"\#(name)"}],"zoneID":{"zoneName":"\#(Self.zone)"}}"#)
        var values: [String] = []
        for field in ["title", "body", "note"] {
            guard let range = answer.range(after: "\"\(field)\":{") else { continue }
            let value = answer[range...].prefix { $0 != "}" }
            values.append(String(value))
        }
        return values
    }

    private func foreignCall(_ operation: String, _ body: String) -> String {
        let target =
            "/database/1/\(Self.container)/development/private/\(operation)?ckAPIToken=\(foreign.apiToken)&ckWebAuthToken="
            + Self.encoded(foreign.webAuthToken)
        guard let answer = try? server.answer(target, Array(body.utf8)) else { return "" }
        return String(decoding: answer.body, as: UTF8.self)
    }

    private static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            let isPlain =
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            encoded += isPlain ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
        }
        return encoded
    }
}

extension String {
    /// Where the first occurrence of a text ends.
    fileprivate func range(after text: String) -> Index? {
        var rest = self[...]
        while !rest.isEmpty {
            if rest.hasPrefix(text) { return rest.index(rest.startIndex, offsetBy: text.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
