import FolderWriting
import LocalFolder
import SyncModel
import Testing

@testable import FolderHistory

@Suite("Which version is meant")
struct VersionChoiceTests {
    private static func version(
        written: Int64, until: Int64, reason: KeptReason? = .changedThere
    ) -> KeptVersion {
        let entry = HistoryEntry(
            path: FolderPath("a")!, bucket: "b", time: until, reason: reason, size: 1,
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
            (31_000, .notKept(oldest: first, wasThere: true)), (50_000, .version(third)), (60_500, .version(third)),
            (61_000, .unchanged(newest: third)), (9_999, .notKept(oldest: first, wasThere: false)),
            (10_000, .version(first)),
        ] as [(Int64?, VersionChoice)])
    func choice(moment: Int64?, choice: VersionChoice) {
        #expect(VersionChoice(among: Self.all, at: moment) == choice)
        #expect(VersionChoice(among: [], at: moment) == .nothing)
    }

    @Test("A modification time that lies after what took a version's place says nothing of when it was written")
    func timeAhead() {
        let ahead = Self.version(written: 7230, until: 30)
        #expect(VersionChoice(among: [ahead], at: 25_000) == .version(ahead))
        #expect(VersionChoice(among: [ahead], at: 31_000) == .unchanged(newest: ahead))
        // It stood there from when it took the other's place.
        let all = [ahead, Self.first]
        #expect(VersionChoice(among: all, at: 21_000) == .version(ahead))
        #expect(VersionChoice(among: all, at: 20_000) == .version(Self.first))
        #expect(VersionChoice(among: all, at: 9_999) == .notKept(oldest: Self.first, wasThere: false))
    }

    @Test(
        "A file was there for certain where it took the place of an older version",
        arguments: [
            (.changedThere, true), (.changedHere, true), (.restored, true), (.deletedThere, false),
            (.deletedHere, false), (nil, false),
        ] as [(KeptReason?, Bool)])
    func wasThere(reason: KeptReason?, wasThere: Bool) {
        let older = Self.version(written: 10, until: 20, reason: reason)
        #expect(
            VersionChoice(among: [Self.third, older], at: 30_000) == .notKept(oldest: older, wasThere: wasThere))
    }

    private static let deleted = version(written: 10, until: 20, reason: .deletedHere)
    private static let unclear = version(written: 10, until: 20, reason: nil)

    /// A choice, and what it leaves out.
    struct Row: Sendable {
        var choice: VersionChoice
        var isThere = false
        var isInZone = false
        var moment: Int64? = 30_000
        var reason: LeftOutReason?
    }

    @Test(
        "What is left out is told: what the zone alone has, and what is not kept of a time",
        arguments: [
            // An older version is no answer to who asks for the last one.
            Row(choice: .version(first), isInZone: true, moment: nil, reason: .inZone),
            Row(choice: .version(first), moment: nil, reason: nil),
            Row(choice: .version(first), isInZone: true, reason: nil),
            Row(choice: .unchanged(newest: first), isInZone: true, reason: .inZone),
            Row(choice: .notKept(oldest: first, wasThere: true), isInZone: true, reason: .inZone),
            Row(choice: .notKept(oldest: first, wasThere: true), reason: .notKept),
            Row(choice: .notKept(oldest: first, wasThere: true), isThere: true, reason: .notKept),
            Row(choice: .notKept(oldest: first, wasThere: false), reason: .perhapsAbsent),
            Row(choice: .unchanged(newest: first), isThere: true, reason: nil),
            Row(choice: .unchanged(newest: first), reason: .perhapsAbsent),
            Row(choice: .unchanged(newest: unclear), reason: .perhapsAbsent),
            // It was gone by then.
            Row(choice: .unchanged(newest: deleted), reason: nil),
        ] as [Row])
    func leftOut(_ row: Row) {
        #expect(
            row.choice.reasonLeftOut(isThere: row.isThere, isInZone: row.isInZone, at: row.moment) == row.reason)
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
