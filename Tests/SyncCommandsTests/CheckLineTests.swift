import SystemPackage
import Testing

@testable import CloudKitServer
@testable import SyncCommands

@Suite("What is said of a check")
struct CheckLineTests {
    private func line(_ change: (inout CheckReport) -> Void = { _ in }) -> CheckLine {
        var report = CheckReport()
        report.records = 1200
        report.databaseBytes = 4_500_000
        report.assets = 3
        report.assetBytes = 78_000_000
        change(&report)
        return CheckLine(report, of: "/srv/data", duration: .milliseconds(3_400))
    }

    private func lost(_ number: Int, _ reason: LostAsset.Reason) -> LostAsset {
        LostAsset(
            file: "assets/3f/3f\(number)", reason: reason, record: "r\(number)", field: "content", zone: "Notes",
            container: "iCloud.a", environment: "production")
    }

    @Test("What is whole is told with what it holds, a backup as such, and what no record names as a count")
    func whole() {
        let amounts = "1200 records in 4.5 MB, 3 assets of 78 MB."
        #expect(line().text == "/srv/data is whole: \(amounts) It took 3 s.")
        #expect(line { $0.isBackup = true }.text == "/srv/data is a whole backup: \(amounts) It took 3 s.")
        #expect(
            line { $0.unnamedAssets = 1 }.text
                == "/srv/data is whole: \(amounts) No record names 1 further file. It took 3 s.")
        #expect(line().warning.isEmpty)
    }

    @Test("What is lost is named with its record, where one is known, and the way out")
    func lost() {
        let lossy = line { report in
            for lost in [lost(1, .absent), lost(2, .cutShort), lost(3, .damaged), lost(4, .unreadable("EIO"))] {
                report.add(lost)
            }
            report.add(LostAsset([0x3F], .damaged))
        }
        #expect(lossy.text.hasPrefix("/srv/data is not whole: 1200 records in"))
        let place = "in the zone 'Notes' of iCloud.a, production"
        #expect(
            lossy.warning == """
                5 assets are missing or damaged:
                  assets/3f/3f1 is not there: 'content' of the record 'r1' \(place)
                  assets/3f/3f2 is cut short: 'content' of the record 'r2' \(place)
                  assets/3f/3f3 is damaged: 'content' of the record 'r3' \(place)
                  assets/3f/3f4 cannot be read (EIO): 'content' of the record 'r4' \(place)
                  assets/3f/3f is damaged
                Where a backup has such a file whole, copy it to the same place in /srv/data.
                """)
    }

    @Test("A backup is mended by backing up once more")
    func backup() {
        let lossy = line { report in
            report.isBackup = true
            report.add(lost(1, .damaged))
        }
        #expect(lossy.text.hasPrefix("/srv/data is no whole backup: "))
        #expect(lossy.warning.hasPrefix("1 asset is missing or damaged:\n"))
        #expect(
            lossy.warning.hasSuffix("and back up to /srv/data once more: what the server has whole is copied anew."))
    }

    @Test("Of very many that are lost, the first ones are kept by name, and all are counted")
    func many() {
        let count = CheckReport.lostLimit + 7
        let lossy = line { report in for number in 0..<count { report.add(lost(number, .absent)) } }
        #expect(lossy.lostAssets == count && lossy.lost.count == CheckReport.lostLimit)
        let lines = lossy.warning.split(separator: "\n")
        #expect(lines.count == 23 && lines[21] == "  and \(count - 20) more; --json lists the first 10000")
    }

    @Test("A damaged database is told in SQLite's words, with the way out, and whether it told all")
    func database() {
        let damaged = line { $0.damage = ["Tree 5 page 6: x", "row 7 missing from index y"] }
        #expect(!damaged.isWhole && damaged.text.hasPrefix("/srv/data is not whole: 1200 records in"))
        #expect(
            damaged.warning == """
                The database is damaged:
                  Tree 5 page 6: x
                  row 7 missing from index y
                Stop the server, and put a backup in the place of /srv/data.
                """)
        let silent = line { report in
            report.records = nil
            report.isComplete = false
            (report.untoldFolders, report.untoldAssets) = (256, 3)
            report.add(DatabaseDamage(reason: "malformed"))
        }
        #expect(
            silent.text == "/srv/data is not whole: its database of 4.5 MB does not tell how many records it holds, "
                + "3 assets of 78 MB. It took 3 s.")
        #expect(
            silent.warning.contains(
                """

                  malformed
                It does not tell which assets belong into any of the 256 directories of assets. What is there was held \
                against its name (3 files); what is missing was not seen.
                Stop the server,
                """))
        let partly = line { report in
            report.isComplete = false
            (report.untoldFolders, report.untoldAssets) = (2, 1)
            report.add(DatabaseDamage(reason: "malformed"))
        }
        #expect(partly.text.hasPrefix("/srv/data is not whole: 1200 records in"))
        #expect(partly.warning.contains("into 2 of the 256 directories of assets. What is there was held against"))
    }

    @Test("The JSON form has all of it")
    func json() throws {
        let text = try JSONText.pretty(line { $0.add(lost(3, .cutShort)) })
        for part in [
            #""data" : "/srv/data""#, #""isWhole" : false"#, #""isBackup" : false"#, #""isComplete" : true"#,
            #""untoldFolders" : 0"#, #""untoldAssets" : 0"#, #""databaseDamage" : ["#, #""lostAssets" : 1"#,
            #""unnamedAssets" : 0"#, #""milliseconds" : 3400"#, #""reason" : "cut-short""#, #""record" : "r3""#,
        ] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test("A terminal is shown that the database is checked, and then how much is read, which can become more")
    func progress() {
        var progress = AssetProgressLine(width: 80)
        #expect(progress.text(of: CheckStep.began(databaseBytes: 4_500_000)) == "checking the database of 4.5 MB")
        #expect(progress.text(of: CheckStep.databaseChecked(assets: 2, bytes: 2_000_000)) == nil)
        #expect(
            progress.text(of: CheckStep.assetsRead(assets: 1, bytes: 999)) == "reading: 1 of 2 assets, 999 B of 2.0 MB")
        #expect(
            progress.text(of: CheckStep.assetsRead(assets: 3, bytes: 3_000_000))
                == "reading: 3 of 3 assets, 3.0 MB of 3.0 MB")
    }
}
