import FolderSettings
import Foundation
import StateStorage
import SystemPackage
import Testing

@Suite("What lies in staging as a daemon starts")
struct StagingTests {
    @Test("What a crash left goes, but not while a command that restores or settles has something there")
    func cleared() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            let directory = try StateDirectory.open(in: laptop.folder)
            let staged = directory.staging.appending("1-1").string
            try laptop.close()
            let commands = [try StagingLock(sharedIn: directory), try StagingLock(sharedIn: directory)]
            #expect(FileManager.default.createFile(atPath: staged, contents: Data("on its way".utf8)))
            try laptop.restart()
            #expect(FileManager.default.fileExists(atPath: staged))
            #expect(try StagingLock.forClearing(directory) == nil)
            withExtendedLifetime(commands) {}
        }
    }

    @Test("Nobody has anything there: all of it goes")
    func free() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            let directory = try StateDirectory.open(in: laptop.folder)
            let staged = directory.staging.appending("1-1").string
            try laptop.close()
            _ = try StagingLock(sharedIn: directory)
            #expect(FileManager.default.createFile(atPath: staged, contents: Data("left".utf8)))
            try laptop.restart()
            #expect(!FileManager.default.fileExists(atPath: staged))
        }
    }
}
