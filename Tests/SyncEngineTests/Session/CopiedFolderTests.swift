import FolderControl
import Foundation
import StateRows
import StateStorage
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

    @Test(
        "What could not be looked at when that was asked waits for a word once it can, also after another restart",
        arguments: [true, false], [true, false])
    func unseen(isRestarted: Bool, isAnyAsked: Bool) async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<20 { try laptop.write("text \(number)", to: "\(number).txt") }
            for number in 0..<3 { try laptop.write("private \(number)", to: "private/\(number).txt") }
            try await laptop.sync()
            try await desk.sync()
            for number in 0..<3 { try desk.delete("private/\(number).txt") }
            if isAnyAsked { try desk.delete("0.txt") }
            try await desk.sync()

            let known = try StateStore(of: laptop.state)
            try known.updateFacts { $0.isCopy = true }
            try known.close()
            let disk = WatchedDisk(of: laptop.folder)
            disk.deny("private")
            var (session, store) = try laptop.start(disk: disk)
            await session.settle()
            let asked = try await session.report(daemon: nil, watch: nil).approval
            #expect(asked?.deletions == (isAnyAsked ? 1 : nil))
            if let asked { #expect(await session.approved(asked.batch)) }
            await session.settle()
            #expect(laptop.read("0.txt") == (isAnyAsked ? nil : "text 0"))
            // What is deleted elsewhere from now on is nobody's question.
            try desk.delete("1.txt")
            try await desk.sync()
            await session.settle()
            #expect(laptop.read("1.txt") == nil)
            if isRestarted {
                try store.close()
                (session, store) = try laptop.start(disk: disk)
                await session.settle()
            }

            disk.denyNothing()
            for _ in 0..<2 { await session.settle() }
            #expect(laptop.read("private/2.txt") == "private 2")
            #expect(try await session.report(daemon: nil, watch: nil).approval?.deletions == 3)
            // Out of sight again, and back.
            disk.deny("private")
            for _ in 0..<2 { await session.settle() }
            disk.denyNothing()
            for _ in 0..<2 { await session.settle() }
            #expect(laptop.read("private/2.txt") == "private 2")
            let batch = try #require(try await session.report(daemon: nil, watch: nil).approval)
            #expect(batch.deletions == 3)
            #expect(await session.approved(batch.batch))
            await session.settle()
            #expect(try !store.facts().hasUnseenDeletions)
            #expect(!laptop.files().contains { $0.hasPrefix("private/") })
            try desk.delete("2.txt")
            try await desk.sync()
            await session.settle()
            #expect(laptop.read("2.txt") == nil)
            try store.close()
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
