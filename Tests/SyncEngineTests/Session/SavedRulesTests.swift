import FolderControl
import Foundation
import SyncModel
import SyncPlanning
import SystemPackage
import Testing

@testable import FolderObserving
@testable import RecordTrees
@testable import SyncEngine

/// The ignore rules while a program saves them (S0, design §7): what they leave out may hold what nobody wants to share.
@Suite("Ignore rules that are being saved", .timeLimit(.minutes(30)))
struct SavedRulesTests {
    /// What a program does to the file before it puts the new version into place.
    enum Saving: CaseIterable {
        case emptied, takenAway

        func begin(on device: EngineDevice) throws {
            switch self {
            case .emptied: try device.write("", to: ".zonefolderignore")
            case .takenAway: try device.delete(".zonefolderignore")
            }
        }
    }

    /// A device in sync, with one file that its rules leave out and one that they do not.
    private static func withSecret(_ world: EngineWorld) async throws -> EngineDevice {
        let laptop = try world.device("laptop")
        try laptop.write("secrets.env\n", to: ".zonefolderignore")
        try laptop.write("password", to: "secrets.env")
        try laptop.write("text", to: "a.txt")
        try await laptop.sync()
        return laptop
    }

    @Test("What they leave out is not sent while they are saved", arguments: Saving.allCases)
    func saved(_ saving: Saving) async throws {
        try await EngineWorld.run { world in
            let laptop = try await Self.withSecret(world)

            try await laptop.atOnce {
                try saving.begin(on: laptop)
                await laptop.session.lookAtAll()
                await laptop.session.lookAtAll()
                try laptop.write("secrets.env\n*.key\n", to: ".zonefolderignore")
                try laptop.write("key", to: "a.key")
            }
            try await laptop.sync()
            #expect(await laptop.session.names == [".zonefolderignore", "a.txt"])
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.close()
        }
    }

    @Test("Nor is it where the program starts in the midst of that", arguments: Saving.allCases)
    func started(_ saving: Saving) async throws {
        try await EngineWorld.run { world in
            let laptop = try await Self.withSecret(world)
            try saving.begin(on: laptop)
            try laptop.restart()
            try await laptop.atOnce {
                await laptop.session.lookAtAll()
                await laptop.session.lookAtAll()
                try laptop.write("secrets.env\n*.key\n", to: ".zonefolderignore")
            }
            try await laptop.sync()
            #expect(await laptop.session.names == [".zonefolderignore", "a.txt"])
            // Taken out of them for good, it is sent after a start, too.
            try laptop.write("*.key\n", to: ".zonefolderignore")
            try laptop.restart()
            try await laptop.sync()
            #expect(await laptop.session.trees.remote.keys.contains { $0.rawValue == "secrets.env" })
            try laptop.close()
        }
    }

    @Test("What they leave out no more is sent once they have stood there for a while", arguments: Saving.allCases)
    func taken(back saving: Saving) async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write("draft.txt\n", to: ".zonefolderignore")
            try laptop.write("draft", to: "draft.txt")
            try await laptop.sync()
            try saving.begin(on: laptop)
            try await laptop.sync()
            #expect(await laptop.session.trees.remote.keys.contains { $0.rawValue == "draft.txt" })
            try laptop.close()
        }
    }

    @Test(
        "What went on one side while they left it out is on both once they do not (invariant 23)",
        arguments: [false, true])
    func broughtBack(isSent: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            let files = ["out/a.txt": "words", "out/n.json": "{}", "b.txt": "others"]
            for (name, text) in files { try laptop.write(text, to: name) }
            try await converge(laptop, desk)
            try laptop.write("out/\n", to: ".zonefolderignore")
            if !isSent { try await converge(laptop, desk) }
            for name in ["out/a.txt", "out/n.json"] { try desk.delete(name) }
            // Where the rules did not leave it out yet, it was deleted in the zone.
            try await desk.sync()
            try await converge(laptop, desk)
            #expect(laptop.read("out/a.txt") == "words")
            #expect(desk.read("out/a.txt") == nil)
            try laptop.write("*.log\n", to: ".zonefolderignore")
            for _ in 0..<3 {
                try await converge(laptop, desk)
                for device in [laptop, desk] { device.pass(.seconds(10)) }
            }
            try await expectInSync(laptop, desk, with: files)
        }
    }

    /// On one device a directory is left out and removed, and then nothing leaves it out any more.
    /// - Parameter isCutOff: Whether it hears nothing from the zone meanwhile.
    private static func removeWhileLeftOut(
        _ directory: String, on laptop: EngineDevice, beside desk: EngineDevice, isCutOff: Bool
    ) async throws {
        if isCutOff { laptop.network.decide { _ in .lostOnTheWay } }
        try laptop.write("\(directory)/\n", to: ".zonefolderignore")
        await laptop.settle()
        try laptop.delete(directory)
        await laptop.settle()
        try laptop.write("*.log\n", to: ".zonefolderignore")
        for _ in 0..<3 {
            await laptop.settle()
            laptop.pass(.seconds(10))
        }
        laptop.network.decide { _ in .delivered }
        for _ in 0..<3 {
            try await converge(laptop, desk)
            for device in [laptop, desk] { device.pass(.seconds(10)) }
        }
    }

    @Test(
        "What a note names comes back with it, where that alone was left out and is gone (invariant 23)",
        arguments: [false, true])
    func assetBroughtBack(isCutOff: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            let note = #"{"n": 1, "pic": {"$asset": "../media/p.jpg"}}"#
            let files = ["Note/n.json": note, "media/p.jpg": "picture", "b.txt": "words"]
            for (name, text) in files { try laptop.write(text, to: name) }
            try await converge(laptop, desk)
            try await Self.removeWhileLeftOut("media", on: laptop, beside: desk, isCutOff: isCutOff)
            try await expectInSync(laptop, desk, with: files)
        }
    }

    @Test(
        "What has another name as well was not renamed to that, and comes back (invariant 23)",
        // Of two records with one file, one alone is known by it.
        arguments: ["a", "z"], [false, true])
    func linkedBroughtBack(directory: String, isCutOff: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            let files = ["\(directory)/a.iso": "image", "keep/a.iso": "image", "keep/b.txt": "words"]
            for (name, text) in files where name != "keep/a.iso" { try laptop.write(text, to: name) }
            let names = ["\(directory)/a.iso", "keep/a.iso"].map { laptop.folder.appending($0).string }
            guard link(names[0], names[1]) == 0 else { throw Errno(rawValue: errno) }
            try await converge(laptop, desk)
            try await Self.removeWhileLeftOut(directory, on: laptop, beside: desk, isCutOff: isCutOff)
            try await expectInSync(laptop, desk, with: files)
        }
    }

    @Test("A file that is moved to where they leave out nothing any more keeps its record")
    func movedIn() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write("drafts/\n", to: ".zonefolderignore")
            try laptop.write("words", to: "a.txt")
            try await laptop.sync()
            await laptop.atOnce {
                try? laptop.move("a.txt", to: "drafts/a.txt")
                await laptop.look()
            }
            laptop.pass(.seconds(2))
            await laptop.atOnce {
                try? laptop.write("", to: ".zonefolderignore")
                await laptop.look()
            }
            laptop.pass(.seconds(2))
            await laptop.look()
            try await laptop.sync()
            let remote = await laptop.session.trees.remote
            #expect(Set(remote.keys.map(\.rawValue)) == [".zonefolderignore", "a.txt"])
            #expect(remote[RecordName("a.txt")]?.path == FolderPath("drafts/a.txt"))
            try laptop.close()
        }
    }
}

extension FolderSession {
    /// Of the records in the zone.
    fileprivate var names: [String] { trees.remote.keys.map(\.rawValue).sorted() }

    /// One cycle that looks at the whole folder, as after an event.
    fileprivate func lookAtAll() async {
        looks.oweAll()
        await cycle()
    }
}
