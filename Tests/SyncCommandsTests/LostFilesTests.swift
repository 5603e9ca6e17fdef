import SystemPackage
import Testing

@testable import SyncCommands

@Suite("What a person most likely wants back")
struct LostFilesTests {
    private static let folder: FilePath = "/home/ada/my notes"
    private static let since: Int64 = 1_800_000_000_500

    private static func message(_ lost: LostFiles) -> String {
        let failure = CommandFailure.restoresAll(folder, lost)
        #expect(failure.status == .usage)
        #expect(failure.message.hasPrefix("/home/ada/my notes is a whole synced folder, "))
        return failure.message
    }

    @Test("A whole folder without a time: the last deletion of many files is named with the command that undoes it")
    func lastDeletion() {
        let time = WallClock.text(Self.since)
        let message = Self.message(LostFiles(gone: 500, sinceMilliseconds: Self.since))
        #expect(
            message.contains(
                "500 files went from \(time) on; `zonefolder restore '/home/ada/my notes' --deleted-since '\(time)'` puts"
            ))
        #expect(!message.contains("reject") && !message.contains("TIME"))
    }

    @Test("Where deletions wait, they are named first; what is gone besides has a command of its own")
    func waiting() {
        let reject = "The deletion of 1 file waits for your word; `zonefolder reject '/home/ada/my notes'` undoes it."
        #expect(Self.message(LostFiles(waiting: 1)).hasSuffix(reject))
        let both = Self.message(LostFiles(waiting: 1, gone: 2, sinceMilliseconds: Self.since))
        #expect(both.contains(reject + " 2 files went from "))
    }

    @Test("Where nothing tells of a large deletion, the ways to name a time are told")
    func nothing() {
        let message = Self.message(LostFiles())
        #expect(message.contains("--deleted-since TIME") && message.contains("--at TIME"))
    }
}
