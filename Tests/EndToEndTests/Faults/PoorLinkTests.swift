import Foundation
import Testing

/// A daemon in a network namespace of its own, behind a link that is as bad as links are.
@Suite(
    "A poor network", .timeLimit(.minutes(30)),
    .enabled(if: PoorLink.isPossible, "needs root, TUN devices, network namespaces and iproute2"))
struct PoorLinkTests {
    @Test(
        "With loss, delay and a partition in the midst of edits on both sides nothing is lost, and all ends equal",
        arguments: [UInt64(1)])
    func partition(seed: UInt64) async throws {
        let link = try await PoorLink(seed: seed)
        let world = try await RealWorld(host: link.here)
        let (laptop, desk) = (try await world.addFolder("laptop"), try await world.addFolder("desk"))
        var expected: [String: Data] = [:]
        func save(_ text: String, as name: String, in folder: RealFolder) throws {
            try folder.write(text, to: name)
            expected[name] = Data(text.utf8)
        }
        for number in 0..<20 { try save("first \(number)\n", as: "f\(number).txt", in: laptop) }
        try save(#"{"a": "0", "b": "0"}"#, as: "Note/both.json", in: laptop)
        let near = try laptop.run()
        let far = try link.start([RealProgram.executable.path, "run", desk.path])
        try await laptop.untilDaemonAnswers(near)
        try await desk.untilDaemonAnswers(far)
        #expect(try await eventually { try desk.contents() == expected }, "\(far.errors)")

        // Poor, yet a link.
        link.set(PacketCarrier.Weather(loss: 0.3, delay: .milliseconds(300)))
        for number in 0..<5 { try save("second, laptop\n", as: "f\(number).txt", in: laptop) }
        for number in 5..<10 { try save("second, desk\n", as: "f\(number).txt", in: desk) }
        let began = ContinuousClock.now
        let isThrough = try await eventually(within: .seconds(240)) {
            try desk.contents() == expected && laptop.contents() == expected
        }
        var differences = [desk, laptop].map { Difference((try? $0.contents()) ?? [:], expected) }
        #expect(isThrough, "\(differences)")
        print("through loss and delay in \(ContinuousClock.now - began): \(link.counts)")

        // In the midst of what both sides do.
        for number in 0..<5 { try save("third, laptop\n", as: "f\(number).txt", in: laptop) }
        for number in 5..<10 { try save("third, desk\n", as: "f\(number).txt", in: desk) }
        link.set(PacketCarrier.Weather(isCut: true))
        let cut = ContinuousClock.now
        for number in 10..<13 { try save("away, laptop\n", as: "f\(number).txt", in: laptop) }
        for number in 13..<16 { try save("away, desk\n", as: "f\(number).txt", in: desk) }
        try laptop.write(#"{"a": "1", "b": "0"}"#, to: "Note/both.json")
        try desk.write(#"{"a": "0", "b": "1"}"#, to: "Note/both.json")
        expected["Note/both.json"] = Data(#"{"a": "1", "b": "1"}"#.utf8)
        // The new ones first: in the inode of a file that just went they would be taken for that one, renamed.
        try save("new\n", as: "new/laptop.txt", in: laptop)
        try save("new\n", as: "new/desk.txt", in: desk)
        try laptop.delete("f16.txt")
        try desk.delete("f17.txt")
        for name in ["f16.txt", "f17.txt"] { expected[name] = nil }
        // An edit outlives a deletion.
        try laptop.delete("f18.txt")
        try save("outlives\n", as: "f18.txt", in: desk)

        var report = try await desk.report()
        while report.verdict != "offline", ContinuousClock.now - cut < .seconds(150) {
            #expect(report.verdict != "in-sync", "it is away, and has edits")
            report = try await desk.report()
        }
        #expect(report.verdict == "offline" && report.reason.contains("cannot be reached"), "\(report)")
        print("offline after \(ContinuousClock.now - cut): \(report.reason)")
        #expect(try await laptop.settledVerdict() == "in-sync", "the server is where it was")

        link.set(PacketCarrier.Weather(loss: 0.1, delay: .milliseconds(50)))
        let isEqual = try await eventually(within: .seconds(240)) {
            try desk.contents() == expected && laptop.contents() == expected
        }
        differences = [desk, laptop].map { Difference((try? $0.contents()) ?? [:], expected) }
        #expect(isEqual, "\(differences)")
        print("equal again after \(ContinuousClock.now - cut): \(link.counts)")
        link.set(PacketCarrier.Weather())
        for folder in [desk, laptop] { #expect(try await folder.settledVerdict() == "in-sync") }
        #expect(try StateHonesty.living(in: world) == expected.count)
        #expect(near.isRunning && far.isRunning)
    }
}
