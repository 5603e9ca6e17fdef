import ArgumentParser
import FolderSettings
import StateStorage
import SystemPackage

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look at everything that syncing a folder depends on, and name what to mend.",
        discussion: """
            Looks at the settings, the account, the server and its clock, the daemon and its version, permissions, the \
            state's soundness, the schema as far as it is known, inotify's limits, and what the folder's file system can \
            do and has free. Each finding that is not ok comes with what to do. Works with the daemon up and down; \
            changes no file of the folder. Two small files are made in .zonefolder/staging and removed, and without a \
            daemon the server is asked who is signed in.

              zonefolder doctor ~/notes
              zonefolder doctor --report > report.txt

            Exit status: 0 all is well, 4 something keeps files from being synced, 6 something works less well than it \
            could or is not known, 78 the path is in no synced folder.
            """)

    @OptionGroup var folder: FolderArgument

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    @Flag(help: "Leave out tokens and all names: of files, users, hosts, containers and zones. For a bug report.")
    var report = false

    func run() async throws {
        let directory = try folder.stateDirectory
        var found = DoctorReport(folder: directory.folder.string, findings: await Examination.findings(of: directory))
        if report { found = found.redacted(on: MachineText.current) }
        if json {
            StandardOutput.print(try JSONText.pretty(found))
        } else {
            for line in found.lines { StandardOutput.print(line) }
        }
        throw found.status
    }
}
