/// Makes workloads.
public struct Workload: Hashable, Sendable {
    public var devices: Int
    public var events: [WorldEvent]
    /// The number of the event from which on all is at rest before each, so that what a person does has to be what all have
    /// then; `nil` where people meet to the end.
    public var calmFrom: Int?

    public init(devices: Int, events: [WorldEvent]) {
        self.devices = devices
        self.events = events
    }

    /// Files that people of these worlds have.
    static let paths = [
        "Note/a.json", "Note/b.json", "Note/c.json", "Note/deep/d.json", "one.txt", "two.txt", "docs/three.txt",
        "docs/four.txt", "docs/sub/five.txt", "docs/sub/six.txt",
    ]
    /// The files of one kind, in the order in which they are rotated.
    static func paths(of kind: FileKind) -> [String] {
        paths.filter { $0.hasSuffix(".json") == (kind == .json) }
    }

    /// Files that people attach to JSON files, besides some of those above.
    static let attachments = ["Note/a.jpg", "Note/b.jpg", "Note/deep/d.jpg"]

    /// Of records that another app has, with some that no careful app would choose.
    static let foreignNames = [
        "Note/a", "Note/b", "Note/c", "Note/a", "Note/b", "Note/c", "Note/x", "Other/y", "Note/A", "Note/../b",
        "Note/.zonefolder", "Note/" + String(repeating: "n", count: 250),
    ]
    static let folders = ["docs", "docs/sub", "Note/deep", "papers"]

    /// What may happen, so that a world is mostly people, or mostly trouble.
    struct Mood {
        var hasCrashes: Bool
        var hasDiskFaults: Bool
        var hasNetworkFaults: Bool
        var hasServerFaults: Bool
        var hasForeignApp: Bool
        var hasTurns: Bool
        var hasAttachments: Bool
        var hasReferences: Bool
        var hasLinks: Bool
        var isBusy: Bool

        init(_ random: inout SeededRandom, refers: Bool, links: Bool) {
            hasCrashes = random.once(in: 2)
            hasDiskFaults = random.once(in: 3)
            hasNetworkFaults = random.once(in: 2)
            hasServerFaults = random.once(in: 2)
            hasForeignApp = random.once(in: 3)
            hasTurns = random.once(in: 4)
            isBusy = random.once(in: 2)
            hasAttachments = random.once(in: 2)
            hasReferences = refers && random.once(in: 3)
            hasLinks = links && random.once(in: 3)
        }

        /// The files that people save, rename and delete.
        var paths: [String] { hasAttachments ? Workload.paths + Workload.attachments : Workload.paths }
    }

    /// A workload by seed.
    /// - Parameters:
    ///   - refers: Whether people may let files refer to each other.
    ///   - links: Whether people may make symbolic and hard links.
    public init(seed: UInt64, devices: Int, steps: Int, refers: Bool = false, links: Bool = false) {
        var random = SeededRandom(seed: seed)
        let mood = Mood(&random, refers: refers, links: links)
        self.devices = devices
        events = (0..<steps).map { number in
            WorldEvent(
                number: number, device: random.below(devices), timing: Self.timing(mood, &random),
                act: Self.act(mood, &random))
        }
    }

    private static func timing(_ mood: Mood, _ random: inout SeededRandom) -> WorldEvent.Timing {
        switch random.below(mood.isBusy ? 6 : 10) {
        case 0: .atCall(1 + random.below(60))
        case 1: random.once(in: 2) ? .atCall(1 + random.below(60)) : .atRename(1 + random.below(3))
        case 2: .after(random.below(20))
        case 3, 4: .after(random.below(600))
        case 5: .after(1000 + random.below(4000))
        default: .after(5000 + random.below(20_000))
        }
    }

    private static func act(_ mood: Mood, _ random: inout SeededRandom) -> Act {
        let trouble = random.below(10)
        if trouble == 0, mood.hasCrashes {
            return random.pick([.kill, .kill, .powerLoss, .powerLoss, .flush, .databaseError])
        }
        if trouble == 1, mood.hasDiskFaults {
            return random.pick([
                .diskError(random.pick(DiskFault.allCases), calls: 1 + random.below(6)),
                .diskFull(milliseconds: random.below(10_000)), .badFile(milliseconds: random.below(40_000)),
                .loseEvents(milliseconds: random.below(4000)), .overflow,
                .unmount(milliseconds: random.below(20_000)), .stepClock(seconds: random.below(7200) - 3600),
            ])
        }
        if trouble == 2, mood.hasNetworkFaults {
            return random.pick([
                .partition(milliseconds: random.below(60_000)), .flaky(milliseconds: random.below(20_000)),
            ])
        }
        if trouble == 3, mood.hasServerFaults {
            return .serverFault(random.pick(ServerFault.allCases), requests: 1 + random.below(4))
        }
        if trouble == 4, mood.hasForeignApp {
            let name = random.pick(foreignNames)
            if mood.hasAttachments, random.once(in: 4) { return .foreignAttach(name) }
            return random.once(in: 3) ? .foreignDelete(name) : .foreignSave(name)
        }
        if trouble == 5, mood.hasTurns { return turn(&random) }
        if trouble == 6, random.once(in: 3) { return .askStatus }
        if trouble >= 8, mood.hasReferences {
            return .refer(random.pick(paths(of: .json)), to: random.pick(paths(of: .json)))
        }
        if trouble >= 8, mood.hasLinks {
            switch random.below(4) {
            case 0: return pair(mood, &random) { .link($0, to: $1) }
            case 1: return .uncover(random.pick(mood.paths))
            default: return .cover(random.pick(mood.paths))
            }
        }
        return people(mood, &random)
    }

    /// What changes the ground that all stands on.
    private static func turn(_ random: inout SeededRandom) -> Act {
        switch random.below(8) {
        case 0, 1: .ignore(random.pick(["docs/", "*.txt", "Note/", "*.json", "#"]))
        case 2, 3: .otherAccount(milliseconds: random.below(20_000))
        case 4: .foreignEndZone(random.pick(ZoneEnding.allCases))
        default: .approve
        }
    }

    private static func people(_ mood: Mood, _ random: inout SeededRandom) -> Act {
        switch random.below(mood.hasAttachments ? 24 : 20) {
        case 0..<12: .save(random.pick(mood.paths), random.pick(SaveStyle.allCases))
        case 12, 13: .delete(random.pick(mood.paths))
        case 14, 15, 16: pair(mood, &random) { .rename($0, to: $1) }
        case 17: .moveFolder(random.pick(folders), to: random.pick(folders))
        case 18:
            switch random.below(3) {
            case 0: .deleteFolder(random.pick(folders))
            case 1: .setExecutable(random.pick(paths))
            default: .rotate(random.pick(FileKind.allCases))
            }
        case 19: pair(mood, &random) { .copy($0, to: $1) }
        case 20, 21:
            .attach(random.pick(attachments + ["one.txt", "docs/three.txt"]), to: random.pick(paths(of: .json)))
        case 22: .detach(random.pick(paths(of: .json)), random.pick(AttachedFate.allCases))
        default: .renameAttached(random.pick(paths(of: .json)), to: random.pick(attachments))
        }
    }

    /// Two paths of one kind: a text that is called JSON is held, which is right and of no interest here.
    private static func pair(
        _ mood: Mood, _ random: inout SeededRandom, _ act: (String, String) -> Act
    ) -> Act {
        let path = random.pick(mood.paths)
        let isJSON = path.hasSuffix(".json")
        let others = mood.paths + ["docs/new.txt", "new.txt"]
        return act(path, random.pick(others.filter { $0.hasSuffix(".json") == isJSON }))
    }
}
