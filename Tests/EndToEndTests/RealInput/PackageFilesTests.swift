import Foundation
import Testing

@Suite(
    "The package.json files of npm packages", .serialized, .timeLimit(.minutes(8)),
    .enabled(if: Corpus.isExpected, "ZONEFOLDER_CORPUS names no documents; packaging/real-input fetches them"))
struct PackageFilesTests {
    /// Folders that every project has; each one's name is a legal record type.
    private static let folders = ["node_modules", "src", "docs"]

    @Test("Every file is carried: each is on the other device byte for byte, and both are in sync (design §3)")
    func everyFile() async throws {
        var files: [String: [UInt8]] = [:]
        for (number, document) in try Corpus.packageFiles(at: Corpus.place).enumerated() {
            files["\(Self.folders[number % Self.folders.count])/\(document.name)"] = document.bytes
        }
        #expect(files.count >= 1_000)
        let world = try await RealWorld()
        let (laptop, desk) = (try await world.addFolder("laptop"), try await world.addFolder("desk"))
        for (path, bytes) in files { try laptop.write(bytes, to: path) }
        let began = ContinuousClock.now
        let daemons = try [laptop.run(), desk.run()]
        for (folder, daemon) in zip([laptop, desk], daemons) { try await folder.untilDaemonAnswers(daemon) }
        let deadline = ContinuousClock.now + .seconds(240)
        while let difference = try desk.firstDifference(from: files) {
            guard ContinuousClock.now < deadline else {
                throw TestFailure("\(difference); held: \(try await laptop.held().prefix(5))")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        let time = ContinuousClock.now - began
        #expect(try await laptop.settledVerdict() == "in-sync")
        #expect(try await desk.settledVerdict() == "in-sync")
        #expect(try laptop.firstDifference(from: files) == nil)
        let (sent, received) = (try await laptop.unfit(), try await desk.unfit())
        #expect(Set(sent.map(\.path)) == Set(received.map(\.path)))
        print(
            "real input: \(files.count) package.json files arrived in \(time.seconds) s, \(sent.count) as plain files")
        for daemon in daemons {
            daemon.terminate()
            #expect(try await daemon.ended(within: .seconds(120)) == 0)
        }
    }
}
