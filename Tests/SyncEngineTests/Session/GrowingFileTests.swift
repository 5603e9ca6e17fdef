import FolderControl
import Foundation
import SystemPackage
import Testing

@testable import SyncEngine

/// Invariant 22: one conflict makes one copy.
@Suite("A file that keeps growing", .timeLimit(.minutes(30)))
struct GrowingFileTests {
    @Test("A conflict on it makes no copy before it holds still, then one, which is listed")
    func conflict() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("one", to: "a.log")
            try await converge(laptop, desk)
            try laptop.write("two", to: "a.log")
            try await laptop.sync()
            try desk.write("mine", to: "a.log")
            let file = desk.folder.appending("a.log").string
            desk.network.decide { request in
                if FaultyNetwork.operation(of: request) == "download", let log = FileHandle(forWritingAtPath: file) {
                    _ = try? log.seekToEnd()
                    try? log.write(contentsOf: Data(", and more".utf8))
                    try? log.close()
                }
                return .delivered
            }
            for _ in 0..<4 {
                await desk.session.settle()
                desk.pass(.seconds(120))
            }
            #expect(try desk.conflictCopies() == [])
            desk.network.decide { _ in .delivered }
            try await desk.sync()
            #expect(desk.read("a.log") == "two")
            let copies = try desk.conflictCopies()
            #expect(copies.count == 1)
            #expect(copies.first.flatMap(desk.read)?.hasPrefix("mine, and more, and more") == true)
            #expect(try await desk.report().conflicts.map(\.copy) == copies)
            try laptop.close()
            try desk.close()
        }
    }
}
