import RecordTrees
import SyncModel
import SyncPlanning
import Testing

@Suite("Where records are shown that want the same path (S3.11)")
struct PathClaimsTests {
    private struct Claim {
        let name: String
        let path: String
        let created: Int64
    }

    /// Where each record is shown.
    private static func shown(_ trees: SyncTrees) -> [String: String] {
        var shown: [String: String] = [:]
        for name in trees.remote.keys { shown[name.rawValue] = trees.path(of: name)!.description }
        return shown
    }

    private static func orders<Element>(of elements: [Element]) -> [[Element]] {
        guard elements.count > 1 else { return [elements] }
        return elements.indices.flatMap { index in
            var rest = elements
            let first = rest.remove(at: index)
            return orders(of: rest).map { [first] + $0 }
        }
    }

    @Test("A record that steps aside gets a place that no other record claims, whatever comes first")
    func stepsAside() {
        let claims = [
            Claim(name: "holder", path: "a", created: 1),
            Claim(name: "x", path: "a", created: 2),
            Claim(name: "y", path: "a", created: 3),
            // Names that a person, or another app, gave: just where the two would go.
            Claim(name: "taken", path: "a~x", created: 4),
            Claim(name: "folder", path: "a~y/b", created: 5),
        ]
        let expected = [
            "holder": "a", "x": "a~~x", "y": "a~~y", "taken": "a~x", "folder": "a~y/b",
        ]
        for order in Self.orders(of: claims) {
            var builder = TreeBuilder()
            for claim in order { builder.remote(claim.name, claim.path, created: claim.created) }
            #expect(Self.shown(builder.trees) == expected)
            #expect(builder.trees.dirtyRecords.count == claims.count)
            var started = TreeBuilder()
            started.trees.load(local: [], remote: Array(builder.trees.remote.values), base: [])
            #expect(Self.shown(started.trees) == expected)
        }
    }

    @Test("Where the place is no longer claimed, the record takes it, and it is looked at again")
    func comesBack() {
        for gone in ["taken", "folder"] {
            var builder = TreeBuilder()
            builder.remote("holder", "a", created: 1)
            builder.remote("x", "a", created: 2)
            builder.remote(gone, gone == "taken" ? "a~x" : "a~x/b", created: 3)
            #expect(builder.trees.path(of: RecordName("x")) == FolderPath("a~~x"))
            _ = builder.plan()
            builder.remoteGone(gone)
            #expect(builder.trees.path(of: RecordName("x")) == FolderPath("a~x"))
            #expect(builder.trees.dirtyRecords.contains(RecordName("x")))
            builder.remoteGone("holder")
            #expect(builder.trees.path(of: RecordName("x")) == FolderPath("a"))
        }
    }

    @Test("A file that appears where a displaced record is to be shown is looked at together with the record")
    func fileAppears() {
        var builder = TreeBuilder()
        builder.agreed("holder", "a", "1")
        builder.remote("x", "a", created: 2)
        #expect(builder.plan() == ["write x to a~x"])
        builder.local("a~x", "2")
        #expect(builder.plan() == ["reconcile x at a~x"])
    }

    @Test("Any claims that come and go in any order leave what the set alone gives", arguments: 1...20)
    func random(seed: UInt64) {
        var state = seed
        func below(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(limit))
        }
        let paths = ["a", "a~0", "a~1", "a~~0", "a~0/b", "a/b", "a/b~2", "a~0~3"]
        var builder = TreeBuilder()
        var living: [Int: (path: String, created: Int64)] = [:]
        for _ in 0..<200 {
            let number = below(6)
            if living[number] != nil, below(3) == 0 {
                living[number] = nil
                builder.remoteGone("\(number)")
            } else {
                living[number] = (paths[below(paths.count)], Int64(below(3)))
                builder.remote("\(number)", living[number]!.path, created: living[number]!.created)
            }
            var fresh = TreeBuilder()
            for (number, claim) in living { fresh.remote("\(number)", claim.path, created: claim.created) }
            let shown = Self.shown(builder.trees)
            #expect(shown == Self.shown(fresh.trees), "seed \(seed)")
            #expect(Set(shown.values).count == living.count, "seed \(seed): each has a place of its own: \(shown)")
        }
    }
}
