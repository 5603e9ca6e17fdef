import ArgumentParser
import CloudKitServer
import SystemPackage

struct ServeCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Read all of a server's data, or of a backup, and name what is lost.",
        discussion: """
            Every file that a record names is read and held against the digest and size that the database has of it, and \
            SQLite checks the database. A disk can lose bytes without a word, and what nobody reads is missed only when it is \
            needed: check a backup after it was made, and data after it was restored.

              zonefolder serve check
              zonefolder serve check /srv/backup/notes

            The server may run, and a backup may be under way; nothing is written, and a read-only disk will do. What is \
            missing, cut short or damaged is named on standard error with a record that needs it, and the exit status is 4 \
            then. Files that no record names are counted, and not read. Where the database is too damaged to tell which those \
            are, every file is held against its name, which is its digest, and it is said that what is missing was not seen.
            """)

    @Argument(
        help: ArgumentHelp(
            "A backup, or other data than the server's own (default: the server's data).", valueName: "directory"),
        completion: .directory)
    var directory: String?

    @OptionGroup var data: ServerDataPlace

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    func validate() throws {
        guard directory != "" else {
            throw ValidationError("The directory's name is empty. Give one, or none for the server's own data.")
        }
        guard directory == nil || data.given == nil else {
            throw ValidationError("A directory and --data say the same. Give one of them.")
        }
    }

    func run() async throws {
        let directory = try data.readableDirectory(or: self.directory)
        let start = ContinuousClock.now
        var progress = AssetProgressLine(width: Terminal.errors.width)
        defer { progress.clear() }
        let report = try WebServicesServer.check(directory) { progress.show($0, at: .now) }
        let line = CheckLine(report, of: directory, duration: .now - start)
        progress.clear()
        StandardOutput.print(json ? try JSONText.pretty(line) : line.text)
        guard !line.isWhole else { return }
        StandardError.print(line.warning)
        throw ExitStatus.attention
    }
}
