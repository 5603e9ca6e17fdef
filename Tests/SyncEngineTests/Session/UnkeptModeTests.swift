import FolderControl
import Foundation
import StateStorage
import SyncModel
import SystemPackage
import Testing

@testable import LocalFolder
@testable import SyncEngine

/// FAT, exFAT, NTFS by FUSE and most shares tell every file as one that anybody may execute, or none.
@Suite("A disk that keeps no permissions of files", .timeLimit(.minutes(30)))
struct UnkeptModeTests {
    private static func set(_ mode: Int, _ name: String, on device: CrashDevice) throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: device.folder.appending(name).string)
    }

    private static func mode(_ name: String, on device: CrashDevice) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: device.folder.appending(name).string)
        return attributes[.posixPermissions] as? Int
    }

    @Test("Nothing that it says of the bit is an edit; what others say of it stays", arguments: [0o755, 0o644])
    func bit(told: Int) async throws {
        try await CrashWorld.run { world in
            let (stick, desk) = (try world.device("stick"), try world.device("desk"))
            let disk = LinuxDisk(keepsModes: false)
            for (name, mode) in [("run.sh", 0o755), ("a.txt", 0o644)] {
                try desk.write("one", to: name)
                try Self.set(mode, name, on: desk)
            }
            try await desk.sync()
            try await stick.sync(on: disk)
            func expect(_ script: Int, _ text: Int) async throws {
                for name in stick.files() { try Self.set(told, name, on: stick) }
                for _ in 0..<2 {
                    let report = try await stick.sync(on: disk)
                    #expect(report.verdict == .inSync, "\(report.held)")
                    try await desk.sync()
                }
                #expect(try Self.mode("run.sh", on: desk) == script)
                #expect(try Self.mode("a.txt", on: desk) == text)
            }
            try await expect(0o755, 0o644)
            for name in ["run.sh", "a.txt"] { try stick.write("two", to: name) }
            try await expect(0o755, 0o644)
            #expect(desk.read("run.sh") == "two" && desk.read("a.txt") == "two")
            try Self.set(0o644, "run.sh", on: desk)
            try Self.set(0o755, "a.txt", on: desk)
            try await desk.sync()
            try await expect(0o644, 0o755)
            // A new one can be executed by nobody until somebody says so, and one that is deleted elsewhere goes.
            try stick.write("new", to: "new.txt")
            try Self.set(0o755, "new.txt", on: stick)
            try await stick.sync(on: disk)
            try desk.delete("a.txt")
            try await desk.sync()
            try await stick.sync(on: disk)
            #expect(try Self.mode("new.txt", on: desk) == 0o644)
            #expect(stick.files() == ["run.sh", "new.txt"] && desk.files() == ["run.sh", "new.txt"])
        }
    }

    @Test("Whether a disk keeps them is tried, and nothing is left of that")
    func probe() async throws {
        try await CrashWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write("one", to: "run.sh")
            try Self.set(0o755, "run.sh", on: laptop)
            let root = try FolderRoot(openingToSync: laptop.folder)
            let stamp = try #require(FolderReader(root: root).stamp(of: FolderPath("run.sh")!))
            #expect(stamp.isModeKept && stamp.executable)
            let names = try FileManager.default.subpathsOfDirectory(atPath: laptop.folder.string)
            #expect(!names.contains { $0.contains("modes-") })
        }
    }
}
