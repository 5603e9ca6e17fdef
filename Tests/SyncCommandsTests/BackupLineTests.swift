import SystemPackage
import Testing

@testable import CloudKitServer
@testable import SyncCommands

@Suite("What is said of a backup")
struct BackupLineTests {
    private func line(
        copied: Int, removed: Int = 0, lost: [LostAsset] = [], duration: Duration = .milliseconds(3_400)
    ) -> BackupLine {
        BackupLine(
            BackupReport(
                records: 1200, databaseBytes: 4_500_000, assets: 3, assetBytes: 78_000_000, copiedAssets: copied,
                copiedBytes: Int64(copied) * 1_000_000, removedAssets: removed, lost: lost),
            of: "/srv/data", in: "/srv/backup", duration: duration)
    }

    private func lost(_ number: Int, _ reason: LostAsset.Reason) -> LostAsset {
        LostAsset(
            file: "assets/3f/3f\(number)", reason: reason, record: "r\(number)", field: "content", zone: "Notes",
            container: "iCloud.a", environment: "production")
    }

    @Test("The first one and a later one are told with what they hold, and the later one with what changed")
    func text() {
        let all = "/srv/backup is a backup of /srv/data: 1200 records in 4.5 MB, 3 assets of 78 MB."
        #expect(line(copied: 3).text == all + " It took 3 s.")
        #expect(line(copied: 1, removed: 2).text == all + " 1 asset of 1.0 MB came new, 2 went. It took 3 s.")
        #expect(line(copied: 1).milliseconds == 3400)
    }

    @Test("What the server has lost is named with its file, its record and the way out; of many, the first ones")
    func warning() {
        let few = line(copied: 3, lost: [lost(1, .absent), lost(2, .damaged), lost(3, .unreadable("EIO"))])
        #expect(
            few.warning == """
                3 assets could not be copied, as the server does not have them whole:
                  assets/3f/3f1 is not there: 'content' of the record 'r1' in the zone 'Notes' of iCloud.a, production
                  assets/3f/3f2 is damaged: 'content' of the record 'r2' in the zone 'Notes' of iCloud.a, production
                  assets/3f/3f3 cannot be read (EIO): 'content' of the record 'r3' in the zone 'Notes' of iCloud.a, production
                All else is in the backup. Where an earlier backup has such a file, copy it to the same place in /srv/data.
                """)
        let many = line(copied: 3, lost: (1...25).map { lost($0, .absent) }).warning.split(separator: "\n")
        #expect(many.count == 23 && many[21] == "  and 5 more; --json lists all")
        #expect(line(copied: 3, lost: [lost(1, .absent)]).warning.hasPrefix("1 asset could not be copied"))
    }

    @Test("The JSON form has all of it")
    func json() throws {
        let text = try JSONText.pretty(line(copied: 1, lost: [lost(3, .unreadable("EIO"))]))
        for part in [
            #""backup" : "/srv/backup""#, #""data" : "/srv/data""#, #""databaseBytes" : 4500000"#,
            #""copiedAssets" : 1"#, #""milliseconds" : 3400"#, #""reason" : "unreadable""#,
            #""message" : "EIO""#, #""record" : "r3""#,
        ] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test("A terminal is shown how much is copied of what there is to copy")
    func progress() {
        var progress = AssetProgressLine(width: 80)
        #expect(progress.text(of: BackupStep.databaseCopied(assets: 40, bytes: 2_000_000)) == nil)
        #expect(
            progress.text(of: BackupStep.assetsCopied(assets: 7, bytes: 999))
                == "copying: 7 of 40 assets, 999 B of 2.0 MB")
        #expect(progress.text(of: BackupStep.complete) == nil)
    }
}
