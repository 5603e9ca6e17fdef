import Foundation
import SeededRandomness
import Testing

@Suite("Seen from outside (after \"Mysteries of Dropbox\")", .timeLimit(.minutes(30)))
struct BlackBoxTests {
    private static let seeds = ProcessInfo.processInfo.environment["ZONEFOLDER_BLACK_BOX"].flatMap { UInt64($0) } ?? 3
    private static let names = ["one.txt", "two.txt"]
    /// How often everything comes to rest in a run.
    private static let rests = 4

    @Test(
        "Some placement of uploads and downloads explains whatever two or three daemons let one see",
        arguments: 0..<seeds)
    func trace(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let world = try await ObservedWorld()
        var nodes: [BlackBoxNode] = []
        for number in 0..<(seed.isMultiple(of: 2) ? 3 : 2) {
            let folder = try await world.addFolder("node-\(number)")
            let daemon = try folder.run()
            try await folder.untilDaemonAnswers(daemon)
            nodes.append(
                BlackBoxNode(
                    folder: folder, daemon: daemon, outside: world.place.appending(path: "outside-\(number)").path))
        }
        var traces = Self.names.map { _ in [Observation]() }
        var frozen: Set<Int> = []
        for rest in 0..<Self.rests {
            for step in 0..<Int.random(in: 6...18, using: &random) {
                let node = Int.random(in: 0..<nodes.count, using: &random)
                let file = Int.random(in: 0..<Self.names.count, using: &random)
                switch Int.random(in: 0..<10, using: &random) {
                case 0...3:
                    traces[file].append(.read(node: node, try nodes[node].read(Self.names[file])))
                case 4...6:
                    let text = "seed \(seed), \(rest)-\(step) by \(node)"
                    let old = try nodes[node].write(text, to: Self.names[file])
                    traces[file].append(.write(node: node, text, over: old))
                case 7:
                    let old = try nodes[node].write(nil, to: Self.names[file])
                    traces[file].append(.write(node: node, nil, over: old))
                case 8:
                    if frozen.insert(node).inserted {
                        nodes[node].daemon.freeze()
                    } else {
                        frozen.remove(node)
                        nodes[node].daemon.thaw()
                    }
                default:
                    // Some time for whatever is under way: as long as two others take to answer.
                    for other in nodes.indices where !frozen.contains(other) {
                        _ = try await ControlSocketClient(nodes[other].folder).verdict()
                    }
                }
            }
            for node in frozen { nodes[node].daemon.thaw() }
            frozen = []
            try await Self.settle(nodes)
            for (file, name) in Self.names.enumerated() {
                let copies = try nodes.reduce(into: Set<String>()) { $0.formUnion(try $1.copies(of: name)) }
                traces[file].append(.rest(try nodes[0].read(name), copies: copies))
            }
        }
        for (name, trace) in zip(Self.names, traces) {
            let explained = SyncModelOfOneFile.explained(trace, nodes: nodes.count)
            let told = trace.enumerated().map { "\($0 == explained ? ">" : " ") \($1)" }.joined(separator: "\n")
            #expect(explained == trace.count, "seed \(seed), \(name), nothing explains:\n\(told)")
        }
        withExtendedLifetime(nodes) {}
    }

    /// Waits until nobody has anything left to do, and all have the same files but for conflict copies.
    private static func settle(_ nodes: [BlackBoxNode]) async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            var isAtRest = true
            for node in nodes {
                let verdict = try await ControlSocketClient(node.folder).verdict(settled: true)
                isAtRest = isAtRest && ["in-sync", "attention"].contains(verdict)
            }
            let files = try nodes.map { try $0.folder.sharedFiles() }
            if isAtRest, Set(files).count == 1 { return }
        }
        throw TestFailure("the folders do not settle: \(try nodes.map { try $0.folder.files().keys.sorted() })")
    }
}
