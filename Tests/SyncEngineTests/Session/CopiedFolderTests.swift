import FolderControl
import Foundation
import SystemPackage
import Testing

@testable import SyncEngine

/// A folder with its state, copied to another disk or put back from a backup.
@Suite("A folder that was copied", .timeLimit(.minutes(30)))
struct CopiedFolderTests {
    /// Puts a copy in the folder's place.
    private static func copy(_ device: EngineDevice) throws {
        let files = FileManager.default
        try device.close()
        let copy = device.folder.string + "-copy"
        try files.copyItem(atPath: device.folder.string, toPath: copy)
        try files.removeItem(atPath: device.folder.string)
        try files.moveItem(atPath: copy, toPath: device.folder.string)
        try device.restart()
    }

    @Test(
        "What was deleted elsewhere meanwhile waits for a word, be it ever so little, also after another restart",
        arguments: [true, false])
    func deletions(isWanted: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<20 { try laptop.write("text \(number)", to: "\(number).txt") }
            try await converge(laptop, desk)
            try Self.copy(laptop)
            for number in 0..<3 { try desk.delete("\(number).txt") }
            try await desk.sync()
            for _ in 0..<2 {
                try await laptop.sync()
                #expect(try await laptop.report().approval?.deletions == 3)
                #expect(try laptop.files().count == 20)
                try laptop.restart()
            }
            try await laptop.sync()
            let batch = try #require(try await laptop.report().approval?.batch)
            if isWanted {
                #expect(await laptop.session.approved(batch))
            } else {
                #expect(try await laptop.session.rejected(batch))
            }
            try await converge(laptop, desk)
            for device in [laptop, desk] { #expect(try device.files().count == (isWanted ? 17 : 20)) }
            #expect(try await laptop.report().verdict == .inSync)
            // The next one is nobody's question.
            try desk.delete("19.txt")
            try await desk.sync()
            try await converge(desk, laptop)
            #expect(laptop.read("19.txt") == nil)
            try laptop.close()
            try desk.close()
        }
    }

    @Test("Where nothing was deleted nothing is asked, and a folder that is moved is the one that it was")
    func nothing() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<5 { try laptop.write("text \(number)", to: "\(number).txt") }
            try await converge(laptop, desk)
            try Self.copy(laptop)
            try await laptop.sync()
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.restart()
            try desk.delete("1.txt")
            try await desk.sync()
            try await laptop.sync()
            #expect(laptop.read("1.txt") == nil)
            try laptop.close()
            try desk.close()
        }
    }
}
