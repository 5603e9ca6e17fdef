import FolderControl
import Testing

/// One name for two files, or for a file and a directory, that were made on two sides.
@Suite("A name that something else has", .timeLimit(.minutes(30)))
struct TakenNameTests {
    @Test("Where one makes a file and another a directory of that name, both stay; who has the longer name is told")
    func fileAndDirectory() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: [:])
            try laptop.write("file", to: "plan")
            try desk.write("below", to: "plan/a.txt")
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                let files = try device.files()
                let shown = try #require(files.keys.first { $0.hasPrefix("plan~") }, "\(files)")
                #expect(files == [shown: "file", "plan/a.txt": "below"])
                let report = try await device.report()
                #expect(report.verdict == .inSync)
                #expect(report.notices?.map(\.code) == ["nameTaken"])
                #expect(report.notices?.first?.message.contains("\(shown) (plan in the zone)") == true, "\(report)")
            }
            let shown = try #require(try desk.files().keys.first { $0.hasPrefix("plan~") })
            try desk.move(shown, to: "plan.txt")
            try await converge(desk, laptop)
            for device in [laptop, desk] {
                #expect(try device.files() == ["plan.txt": "file", "plan/a.txt": "below"])
                #expect(try await device.report().notices?.isEmpty == true)
            }
            try laptop.close()
            try desk.close()
        }
    }
}
