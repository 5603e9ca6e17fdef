extension Workload {
    /// A dense workload by seed: a few events that all have to do with the same few files and come close upon each other, as
    /// long workloads have them by chance once in thousands of events.
    /// - Parameter seed: Decides the theme, the files and all that happens.
    public init(denseSeed seed: UInt64, devices: Int) {
        var scene = DenseScene(SeededRandom(seed: seed), devices: devices)
        scene.play()
        self.init(devices: devices, events: scene.events)
    }
}

/// Writes a dense workload: an opening after which the files are there, then motifs until there are events enough.
struct DenseScene {
    /// What a scene is about: which motifs come, and how often.
    enum Theme: CaseIterable {
        case people, foreignApp, crashes, disk, turns, server, folders
    }

    /// The files that everything happens to.
    struct Cast {
        let json: [String]
        /// What is attached to JSON files; a text that people use otherwise may be among them.
        let attached: [String]
        let texts: [String]

        init(_ random: inout SeededRandom) {
            json = Array(Workload.paths(of: .json).shuffled(using: &random).prefix(2))
            texts = Array(Workload.paths(of: .text).shuffled(using: &random).prefix(2))
            var attached = Array(Workload.attachments.shuffled(using: &random).prefix(2))
            if random.once(in: 4) { attached[0] = random.pick(texts) }
            if random.once(in: 3) { attached[1] = texts[0] }
            self.attached = attached
        }

        var all: [String] { json + attached + texts }
    }

    /// The most events of a scene, without the question for the status at its end.
    private static let length = 14

    let devices: Int
    var random: SeededRandom
    let cast: Cast
    private let motifs: [Motif]
    private(set) var events: [WorldEvent] = []
    /// Whether the next motif begins only once all that came before has reached every device.
    private var isSettled = true

    init(_ random: SeededRandom, devices: Int) {
        var random = random
        self.devices = devices
        cast = Cast(&random)
        motifs = random.pick(Theme.allCases).motifs
        self.random = random
    }

    mutating func play() {
        open()
        let enough = 6 + random.below(8)
        var isFirst = true
        while events.count < enough {
            isSettled = isFirst ? !random.once(in: 7) : random.once(in: 7)
            isFirst = false
            play(random.pick(motifs))
        }
        events.removeLast(max(0, events.count - Self.length))
        add(.askStatus, on: min(1, devices - 1), .after(30_000))
    }

    // MARK: Events

    mutating func add(_ act: Act, on device: Int, _ timing: WorldEvent.Timing) {
        events.append(WorldEvent(number: events.count, device: device, timing: timing, act: act))
    }

    /// When the first event of a motif comes.
    mutating func start() -> WorldEvent.Timing {
        isSettled ? .after(random.pick([9000, 15_000, 20_000])) : soon()
    }

    /// In the midst of what the event before set off.
    mutating func soon() -> WorldEvent.Timing {
        switch random.below(10) {
        case 0..<3: .atRename(1 + random.below(3))
        case 3..<6: .atCall(1 + random.below(45))
        case 6, 7: .after(random.below(20))
        case 8: .after(20 + random.below(700))
        default: .after(1000 + random.below(4000))
        }
    }

    mutating func device() -> Int { random.below(devices) }

    /// Another device, where there are several.
    mutating func device(besides one: Int) -> Int {
        devices > 1 ? (one + 1 + random.below(devices - 1)) % devices : one
    }

    mutating func style() -> SaveStyle { random.pick(SaveStyle.allCases) }

    // MARK: The opening

    private mutating func open() {
        let (first, json, attached, texts) = (device(), cast.json, cast.attached, cast.texts)
        switch random.below(8) {
        case 0, 1:
            add(.attach(attached[0], to: json[0]), on: first, .after(5))
        case 2:
            add(.attach(attached[0], to: json[0]), on: first, .after(5))
            add(.attach(random.pick(attached), to: json[1]), on: device(), .after(9000))
        case 3:
            for text in texts { add(.save(text, .replace), on: first, .after(5)) }
        case 4:
            for file in json { add(.save(file, .replace), on: first, .after(5)) }
        case 5:
            for text in texts { add(.save(text, .replace), on: first, .after(5)) }
            add(.attach(attached[0], to: json[0]), on: first, .after(5))
        case 6:
            add(.foreignAttach(Self.record(of: json[0])), on: first, .after(5))
            add(.foreignSave(Self.record(of: json[1])), on: first, .after(5))
        default:
            add(.attach(attached[0], to: json[0]), on: first, .after(5))
            add(.copy(json[0], to: json[1]), on: first, .after(5))
            add(.copy(attached[0], to: attached[1]), on: first, .after(2))
        }
        guard random.once(in: 2) else { return }
        add(
            random.pick([
                .save(json[1], .replace), .attach(attached[1], to: json[1]), .save(attached[1], .replace),
                .save(texts[0], .replace),
            ]), on: device(), .after(12_000))
    }

    /// The name of the record that a JSON file is.
    static func record(of file: String) -> String { String(file.dropLast(".json".count)) }
}
