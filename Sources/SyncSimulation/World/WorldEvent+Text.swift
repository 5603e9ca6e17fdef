// A workload as text, a line an event: what a failing run prints, and what can be run again.
//
//     3 laptop1 +250 save Note/a.json replace
//     4 laptop2 @17 kill
extension WorldEvent {
    /// The event as a line.
    public var line: String {
        let time =
            switch timing {
            case .after(let milliseconds): "+\(milliseconds)"
            case .atCall(let number): "@\(number)"
            case .atRename(let number): "%\(number)"
            }
        return "\(number) device\(device) \(time) \(act.words.joined(separator: " "))"
    }

    /// Reads a line; `nil` where it is none.
    public init?(line: some StringProtocol) {
        let words = line.split(separator: " " as Character).map { String($0) }
        guard words.count >= 4, let number = Int(words[0]), words[1].hasPrefix("device"),
            let device = Int(words[1].dropFirst(6)), let time = Int(words[2].dropFirst()),
            let act = Act(words: Array(words[3...]))
        else { return nil }
        let timing: Timing
        switch words[2].first {
        case "+": timing = .after(time)
        case "@": timing = .atCall(time)
        case "%": timing = .atRename(time)
        default: return nil
        }
        self.init(number: number, device: device, timing: timing, act: act)
    }
}

extension Act {
    var words: [String] {
        switch self {
        case .save(let path, let style): ["save", path, style.rawValue]
        case .rename(let path, let new): ["rename", path, new]
        case .moveFolder(let path, let new): ["move-folder", path, new]
        case .delete(let path): ["delete", path]
        case .deleteFolder(let path): ["delete-folder", path]
        case .copy(let path, let new): ["copy", path, new]
        case .link(let path, let new): ["link", path, new]
        case .cover(let path): ["cover", path]
        case .uncover(let path): ["uncover", path]
        case .setExecutable(let path): ["set-executable", path]
        case .rotate(let kind): ["rotate", kind.rawValue]
        case .ignore(let rule): ["ignore", rule]
        case .attach(let file, let json): ["attach", file, json]
        case .detach(let json, let fate): ["detach", json, fate.rawValue]
        case .renameAttached(let json, let new): ["rename-attached", json, new]
        case .refer(let json, let target): ["refer", json, target]
        case .askStatus: ["ask-status"]
        case .approve: ["approve"]
        case .neverApprove: ["never-approve"]
        case .otherAccount(let milliseconds): ["other-account", "\(milliseconds)"]
        case .kill: ["kill"]
        case .powerLoss: ["power-loss"]
        case .flush: ["flush"]
        case .stepClock(let seconds): ["step-clock", "\(seconds)"]
        case .loseEvents(let milliseconds): ["lose-events", "\(milliseconds)"]
        case .overflow: ["overflow"]
        case .diskError(let fault, let calls): ["disk-error", fault.rawValue, "\(calls)"]
        case .diskFull(let milliseconds): ["disk-full", "\(milliseconds)"]
        case .databaseError: ["database-error"]
        case .badFile(let milliseconds): ["bad-file", "\(milliseconds)"]
        case .unmount(let milliseconds): ["unmount", "\(milliseconds)"]
        case .partition(let milliseconds): ["partition", "\(milliseconds)"]
        case .flaky(let milliseconds): ["flaky", "\(milliseconds)"]
        case .serverFault(let fault, let requests): ["server-fault", fault.rawValue, "\(requests)"]
        case .foreignSave(let path): ["foreign-save", path]
        case .foreignAttach(let path): ["foreign-attach", path]
        case .foreignDelete(let path): ["foreign-delete", path]
        case .foreignEndZone(let ending): ["foreign-end-zone", ending.rawValue]
        }
    }

    init?(words: [String]) {
        let first = words.count > 1 ? words[1] : ""
        let second = words.count > 2 ? words[2] : ""
        switch (words[0], words.count) {
        case ("save", 3):
            guard let style = SaveStyle(rawValue: second) else { return nil }
            self = .save(first, style)
        case ("rename", 3): self = .rename(first, to: second)
        case ("move-folder", 3): self = .moveFolder(first, to: second)
        case ("delete", 2): self = .delete(first)
        case ("delete-folder", 2): self = .deleteFolder(first)
        case ("copy", 3): self = .copy(first, to: second)
        case ("link", 3): self = .link(first, to: second)
        case ("cover", 2): self = .cover(first)
        case ("uncover", 2): self = .uncover(first)
        case ("set-executable", 2): self = .setExecutable(first)
        case ("rotate", 2):
            guard let kind = FileKind(rawValue: first) else { return nil }
            self = .rotate(kind)
        case ("ignore", 2): self = .ignore(first)
        case ("attach", 3): self = .attach(first, to: second)
        case ("detach", 3):
            guard let fate = AttachedFate(rawValue: second) else { return nil }
            self = .detach(first, fate)
        case ("rename-attached", 3): self = .renameAttached(first, to: second)
        case ("refer", 3): self = .refer(first, to: second)
        case ("ask-status", 1): self = .askStatus
        case ("approve", 1): self = .approve
        case ("never-approve", 1): self = .neverApprove
        case ("kill", 1): self = .kill
        case ("power-loss", 1): self = .powerLoss
        case ("flush", 1): self = .flush
        case ("overflow", 1): self = .overflow
        case ("database-error", 1): self = .databaseError
        case ("disk-error", 3):
            guard let fault = DiskFault(rawValue: first), let calls = Int(second) else { return nil }
            self = .diskError(fault, calls: calls)
        case ("server-fault", 3):
            guard let fault = ServerFault(rawValue: first), let requests = Int(second) else { return nil }
            self = .serverFault(fault, requests: requests)
        case ("foreign-save", 2): self = .foreignSave(first)
        case ("foreign-attach", 2): self = .foreignAttach(first)
        case ("foreign-delete", 2): self = .foreignDelete(first)
        case ("foreign-end-zone", 2):
            guard let ending = ZoneEnding(rawValue: first) else { return nil }
            self = .foreignEndZone(ending)
        default:
            guard words.count == 2, let number = Int(first) else { return nil }
            switch words[0] {
            case "step-clock": self = .stepClock(seconds: number)
            case "disk-full": self = .diskFull(milliseconds: number)
            case "lose-events": self = .loseEvents(milliseconds: number)
            case "bad-file": self = .badFile(milliseconds: number)
            case "unmount": self = .unmount(milliseconds: number)
            case "partition": self = .partition(milliseconds: number)
            case "flaky": self = .flaky(milliseconds: number)
            case "other-account": self = .otherAccount(milliseconds: number)
            default: return nil
            }
        }
    }
}

extension Workload {
    /// The workload as text: the number of devices, then a line an event, and `calm` before those that are.
    public var script: String {
        let meeting = events.prefix { $0.isMeeting(in: self) }.map(\.line)
        let alone = events.dropFirst(meeting.count).map(\.line)
        return (["devices \(devices)"] + meeting + (calmFrom == nil ? [] : ["calm"]) + alone).joined(separator: "\n")
    }

    /// Reads a script; lines that begin with `#` say nothing.
    /// - Throws: ``ScriptError`` where a line is none.
    public init(script: String) throws(ScriptError) {
        self.init(devices: 3, events: [])
        for (index, line) in script.split(separator: "\n" as Character, omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) { continue }
            if line.hasPrefix("devices "), let count = Int(line.dropFirst(8)), count > 0 {
                devices = count
            } else if line == "calm" {
                calmFrom = events.last.map { $0.number + 1 } ?? 0
            } else if let event = WorldEvent(line: line), event.device < devices {
                events.append(event)
            } else {
                throw ScriptError(line: index + 1)
            }
        }
    }
}

/// A script cannot be read.
public struct ScriptError: Error, CustomStringConvertible {
    /// Counted from 1.
    public var line: Int

    public var description: String { "Line \(line) is no event; see what --shrink prints." }
}
