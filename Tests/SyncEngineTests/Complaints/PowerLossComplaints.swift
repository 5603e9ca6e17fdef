import CloudKitServer
import FolderControl
import Foundation
import SystemPackage
import Testing

/// What a disk holds after the power went. That data which was not made durable is lost, at any step, is the business of
/// the simulation; here the disks are made by hand.
extension Complaints {
    @Test("power cut during download, then zero-byte files uploaded over good ones")
    func zeroByteFiles() async throws {
        try await EngineWorld.run { world in
            let big = String(repeating: "a picture's bytes\n", count: 20_000)
            let laptop = try world.device("laptop")
            for (path, text) in ["old.bin": "first version", "Note/a.json": #"{"n": 1}"#] {
                try laptop.write(text, to: path)
            }
            try await laptop.sync()
            let desk = try world.device("desk")
            try await desk.sync()
            for (path, text) in ["old.bin": "second version", "new.bin": big, "Note/a.json": #"{"n": 2}"#] {
                try laptop.write(text, to: path)
            }
            try await laptop.sync()
            let zone = try world.zone()

            // The downloads break off, and what was begun has its name but no data, or half of it.
            world.faults.add(FaultRule(.cutInBody, on: .init(operation: "assets/download")))
            await desk.settle()
            #expect(world.faults.rules[0].hits > 0)
            for (number, length) in [0, 0, 4096, 100_000].enumerated() {
                try desk.write(String(big.prefix(length)), to: ".zonefolder/staging/\(number)")
            }
            for name in try desk.folder.appending(".zonefolder/staging").names() {
                let path = desk.folder.appending(".zonefolder/staging/\(name)").string
                try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 0)
            }
            _ = desk.takeChanges()
            try desk.restart()
            #expect(try desk.files().values.allSatisfy { !$0.isEmpty })
            world.faults.removeAll()
            try await converge(desk, laptop)

            #expect(desk.takeChanges().isEmpty)
            #expect(try world.zone() == zone)
            #expect(try desk.files() == ["old.bin": "second version", "new.bin": big, "Note/a.json": #"{"n": 2}"#])
            #expect(try laptop.files() == desk.files())
            #expect(try desk.folder.appending(".zonefolder/staging").names().isEmpty)
        }
    }

    /// Of what is on the disk, how much of the state came to be durable.
    enum Durable: String, CaseIterable {
        /// The files and directories were written, the state is as before the first fetch.
        case stateOfBefore
        /// As many files as came before the power went; the state knows of all that it fetched.
        case stateOfThen
        /// The state is an empty file.
        case emptyState
        /// The state is gone, with all its parts.
        case noState
    }

    @Test("power loss in the first sync deletes the server's files", arguments: Durable.allCases, [1, 12])
    func firstSync(_ durable: Durable, downloads: Int) async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            for number in 0..<20 {
                try laptop.write("text \(number)", to: "files/\(number).txt")
                try laptop.write(#"{"n": \#(number)}"#, to: "Note/\(number).json")
            }
            try await laptop.sync()
            let (files, zone) = (try laptop.files(), try world.zone())

            let desk = try world.device("desk")
            let before = desk.folder.appending(".zonefolder/state.sqlite")
            try desk.close()
            let kept = try Data(contentsOf: URL(filePath: before.string))
            try desk.restart()
            world.faults.add(FaultRule(.cutInBody, on: .init(operation: "assets/download"), after: downloads))
            await desk.settle()
            try desk.close()
            for part in ["-wal", "-shm"] where durable != .stateOfThen {
                try? FileManager.default.removeItem(atPath: before.string + part)
            }
            switch durable {
            case .stateOfThen: break
            case .stateOfBefore: try kept.write(to: URL(filePath: before.string))
            case .emptyState: try Data().write(to: URL(filePath: before.string))
            case .noState: try FileManager.default.removeItem(atPath: before.string)
            }
            world.faults.removeAll()
            _ = desk.network.takeOperations()
            try desk.restart()
            try await converge(desk, laptop)

            #expect(try world.zone() == zone)
            #expect(try desk.files() == files)
            #expect(try laptop.files() == files)
            #expect(!desk.takeChanges().contains("records/modify"))
            #expect(try await desk.report().verdict == .inSync)
        }
    }
}
