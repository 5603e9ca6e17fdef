extension Workload {
    /// A calm workload by seed: people alone, who save, rename, move, attach and delete the same few files, one at a time, with
    /// all at rest in between. What follows from an act may meet the end of a process or a loss of power, at any of its calls, and
    /// a device may be away while somebody does several things.
    public init(calmSeed seed: UInt64, devices: Int, steps: Int) {
        var random = SeededRandom(seed: seed)
        var cast = CalmCast()
        let opening = (0..<6).map { _ in cast.made(&random) }
        let acts = opening + (6..<max(steps, 6)).map { _ in cast.act(&random) }
        var events: [WorldEvent] = []
        var actor = 0
        for act in acts {
            // Who acts again while another device has not finished, takes back or goes on from what is only half done there.
            let goesOn = events.last?.act.isMishap ?? false && random.below(3) > 0
            if !goesOn { actor = random.below(devices) }
            let pause = goesOn ? random.pick([10, 1000, 3000]) : 10
            events.append(WorldEvent(number: events.count, device: actor, timing: .after(pause), act: act))
            if random.below(3) == 0 {
                events.append(
                    WorldEvent(
                        number: events.count, device: random.below(devices), timing: .after(0),
                        act: .partition(milliseconds: random.pick([5000, 40_000, 90_000]))))
                continue
            }
            guard random.below(3) == 0 else { continue }
            events.append(
                WorldEvent(
                    number: events.count, device: random.below(devices), timing: .atCall(1 + random.below(60)),
                    act: random.below(2) == 0 ? .kill : .powerLoss))
        }
        self.init(devices: devices, events: events)
        calmFrom = 0
    }

    /// The acts from which on a workload is calm, each with the mishaps that meet it, and with what the same person does right
    /// after one of these.
    var moments: [ArraySlice<WorldEvent>] {
        let calm = events.drop { $0.isMeeting(in: self) }
        var starts: [Int] = []
        var actor: Int?
        for index in calm.indices {
            if starts.isEmpty { starts.append(index) }
            guard !calm[index].act.isMishap else { continue }
            let goesOn = actor == nil || calm[index - 1].act.isMishap && calm[index].device == actor
            if !goesOn { starts.append(index) }
            actor = calm[index].device
        }
        return zip(starts, starts.dropFirst() + [calm.endIndex]).map { calm[$0..<$1] }
    }
}

extension Act {
    /// Whether it is no person's act: a process ends, the power or the network fails.
    var isMishap: Bool {
        switch self {
        case .kill, .powerLoss, .partition: true
        default: false
        }
    }
}

/// The files of a calm workload: several of each kind in one directory, so that they go together when it moves.
private struct CalmCast {
    private let json = [
        "Note/a.json", "Note/deep/d.json", "Note/deep/e.json", "Note/deep/f.json", "Note/far/g.json", "Other/o.json",
    ]
    private let attached = [
        "Note/a.jpg", "Note/deep/d.jpg", "Note/deep/d.jpg", "Note/deep/sub/e.jpg", "docs/three.txt", "Other/o.jpg",
    ]
    private let texts = ["one.txt", "docs/three.txt", "docs/four.txt", "docs/sub/five.txt"]
    private let folders = [
        "Note/deep", "Note/deep", "Note/deep/sub", "Note/far", "Note/x", "Note/y", "Other", "Other/p", "docs",
        "docs/sub", "papers",
    ]
    /// Renamed files get names of their own: where one goes over a file that another note names too, the others keep a copy of
    /// what was there, which they need not.
    private var renamed = 0

    /// What lets there be files.
    func made(_ random: inout SeededRandom) -> Act {
        switch random.below(4) {
        case 0: .save(random.pick(json + texts), .replace)
        default: .attach(random.pick(attached), to: random.pick(json))
        }
    }

    mutating func act(_ random: inout SeededRandom) -> Act {
        switch random.below(20) {
        case 0, 1, 2: .save(random.pick(json + texts + attached), random.pick(SaveStyle.allCases))
        case 3, 4: .attach(random.pick(attached), to: random.pick(json))
        case 5, 6, 7, 8: .moveFolder(random.pick(folders), to: random.pick(folders))
        case 9, 10: .rename(random.pick(json), to: random.pick(json))
        case 11: .rename(random.pick(attached + texts), to: random.pick(attached + texts))
        case 12: .copy(random.pick(json), to: random.pick(json))
        case 13: .copy(random.pick(attached + texts), to: random.pick(attached + texts))
        case 14: .detach(random.pick(json), random.pick(AttachedFate.allCases))
        case 15: renameAttached(&random)
        case 16: .delete(random.pick(json + attached + texts))
        case 17: .deleteFolder(random.pick(folders))
        // Of an asset the zone does not have it, and whoever makes a file of its own of it tells what is so on their device.
        case 18: .setExecutable(random.pick(texts.filter { !attached.contains($0) }))
        default: .rotate(random.pick(FileKind.allCases))
        }
    }

    private mutating func renameAttached(_ random: inout SeededRandom) -> Act {
        renamed += 1
        return .renameAttached(random.pick(json), to: random.pick(["Note", "Note/deep", "Other"]) + "/r\(renamed).jpg")
    }
}
