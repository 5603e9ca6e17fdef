import Foundation
import LosslessJSON
import Testing

@Suite(
    "Documents that other people wrote", .serialized, .timeLimit(.minutes(8)),
    .enabled(if: Corpus.isExpected, "ZONEFOLDER_CORPUS names no documents; packaging/real-input fetches them"))
struct RealInputTests {
    /// Given with `ZONEFOLDER_SEED` to run the same edits again.
    private static let seed =
        ProcessInfo.processInfo.environment["ZONEFOLDER_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1_000_000)

    @Test("They arrive byte for byte, and 200 edits on both sides end equal (S1.2, S3.5, S3.10)", arguments: [seed])
    func bothWays(seed: UInt64) async throws {
        let placement = try CorpusPlacement(Corpus(at: Corpus.place))
        #expect(placement.structured.count >= 900)
        #expect(placement.files.keys.count { $0.hasSuffix(".json") } >= 1_000)
        #expect(placement.files.keys.count { !$0.hasSuffix(".json") } >= 100)

        let world = try await RealWorld()
        let (laptop, desk) = (try await world.addFolder("laptop"), try await world.addFolder("desk"))
        for (path, bytes) in placement.files { try laptop.write(bytes, to: path) }
        let began = ContinuousClock.now
        let daemons = try [laptop.run(), desk.run()]
        try await laptop.untilDaemonAnswers(daemons[0])
        try await desk.untilDaemonAnswers(daemons[1])
        try await untilEqual(desk, placement.files, within: .seconds(180))
        report("\(placement.files.count) documents arrived in", ContinuousClock.now - began, daemons)
        #expect(try await laptop.held().isEmpty)
        #expect(try await desk.held().isEmpty)

        var edits = RandomEdits(seed: seed, files: placement.files)
        let editing = ContinuousClock.now
        for _ in 0..<200 { try edits.step(in: [laptop, desk]) }
        try await untilEqual(laptop, edits.expected, within: .seconds(120))
        try await untilEqual(desk, edits.expected, within: .seconds(120))
        report("seed \(seed): 200 changes \(edits.counts) were equal after", ContinuousClock.now - editing, daemons)
        #expect(try await laptop.settledVerdict() == "in-sync")
        #expect(try await desk.settledVerdict() == "in-sync")
        try await carriesUnfit(placement, in: laptop, other: desk, expected: edits.expected)
        for daemon in daemons {
            daemon.terminate()
            #expect(try await daemon.ended(within: .seconds(120)) == 0)
        }
    }

    /// What no record can hold arrives as a plain file, and is named; mended, it becomes a record.
    private func carriesUnfit(
        _ placement: CorpusPlacement, in laptop: RealFolder, other desk: RealFolder, expected: [String: [UInt8]]
    ) async throws {
        let clash = try #require(try placement.clashing())
        let clashing = "\(clash.type)/clashing.json"
        let twice = "\(clash.type)/twice.json"
        try laptop.write(clash.bytes, to: clashing)
        try laptop.write(Array(#"{"name": "one", "name": "two"}"#.utf8), to: twice)
        try laptop.write(Array("a file beside them".utf8), to: "beside.txt")
        #expect(try await laptop.settledVerdict() == "in-sync")
        let unfit = try await laptop.unfit()
        #expect(Set(unfit.map { "\($0.path): \($0.code)" }) == ["\(clashing): wrongType", "\(twice): duplicateKey"])
        var files = expected
        files[clashing] = clash.bytes
        files[twice] = Array(#"{"name": "one", "name": "two"}"#.utf8)
        files["beside.txt"] = Array("a file beside them".utf8)
        try await untilEqual(desk, files, within: .seconds(120))

        try laptop.delete(clashing)
        files[clashing] = nil
        try laptop.write(Array(#"{"zfEdit": "mended"}"#.utf8), to: twice)
        files[twice] = Array(#"{"zfEdit": "mended"}"#.utf8)
        try await untilEqual(desk, files, within: .seconds(120))
        #expect(try await laptop.settledVerdict() == "in-sync")
    }

    /// Waits until a folder holds exactly these files.
    private func untilEqual(_ folder: RealFolder, _ files: [String: [UInt8]], within limit: Duration) async throws {
        let deadline = ContinuousClock.now + limit
        while true {
            let difference = try folder.firstDifference(from: files)
            guard let difference else { return }
            guard ContinuousClock.now < deadline else {
                let held = try await folder.held()
                throw TestFailure("\(folder.url.lastPathComponent): \(difference); held: \(held.prefix(5))")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func report(_ what: String, _ time: Duration, _ daemons: [RunningProgram]) {
        let peaks = daemons.map { "\($0.peakMemoryMegabytes) MB" }.joined(separator: " and ")
        print("real input: \(what) \(time.seconds) s, peak memory \(peaks)")
    }
}
