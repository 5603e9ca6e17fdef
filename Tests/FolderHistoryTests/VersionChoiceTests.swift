import FolderWriting
import LocalFolder
import SyncModel
import Testing

@testable import FolderHistory

@Suite("Which version is meant")
struct VersionChoiceTests {
    private static func version(written: Int64, until: Int64) -> KeptVersion {
        let entry = HistoryEntry(
            path: FolderPath("a")!, bucket: "b", time: until, reason: .changedThere, size: 1,
            modified: written * 1_000_000_000)
        return KeptVersion(entry)
    }

    /// Written at 10, 20 and 50; from 30 on something stood there that is not kept.
    private static let first = version(written: 10, until: 20)
    private static let second = version(written: 20, until: 30)
    private static let third = version(written: 50, until: 60)
    private static let all = [third, second, first]

    @Test(
        "The one that stood there then, the newest without a time, and none where it is not kept",
        arguments: [
            (nil, VersionChoice.version(third)), (15_000, .version(first)), (20_000, .version(first)),
            (20_400, .version(first)), (21_000, .version(second)), (30_999, .version(second)),
            (31_000, .notKept(oldest: first)), (50_000, .version(third)), (60_500, .version(third)),
            (61_000, .unchanged), (9_999, .notKept(oldest: first)), (10_000, .version(first)),
        ] as [(Int64?, VersionChoice)])
    func choice(moment: Int64?, choice: VersionChoice) {
        #expect(VersionChoice(among: Self.all, at: moment) == choice)
        #expect(VersionChoice(among: [], at: moment) == .nothing)
    }

    @Test("Of those that went in one second each can be named, by the milliseconds that they are listed with")
    func oneSecond() {
        let (c, b, a) = (
            Self.version(written: 22, until: 30), Self.version(written: 21, until: 30),
            Self.version(written: 20, until: 30)
        )
        let told = KeptVersions.toldApart([Self.third, c, b, a])
        #expect(told.map(\.replacedMilliseconds) == [60_000, 30_002, 30_001, 30_000])
        for (moment, written) in [(30_000, 20), (30_001, 21), (30_002, 22), (30_400, 22), (60_000, 50)]
            as [(Int64, Int64)]
        {
            guard case .version(let version) = VersionChoice(among: told, at: moment) else {
                Issue.record("\(moment)")
                continue
            }
            #expect(version.writtenMilliseconds == written * 1000, "\(moment)")
        }
    }
}
