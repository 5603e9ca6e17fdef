import FolderControl
import FolderSettings
import LocalFolder
import ProblemSentences
import StateStorage
import SyncService
import SystemPackage

/// What `init` says of a folder that is set up.
enum SetUpText {
    /// The result, in one line.
    static func result(_ directory: StateDirectory, _ configuration: FolderConfiguration) -> String {
        let whose = configuration.owner.map { " of \(PersonText.somebody($0))" } ?? ""
        return "\(directory.folder) is the zone '\(configuration.zone)'\(whose) of \(configuration.container) "
            + "(\(configuration.environment.rawValue)) now."
    }

    /// What will go, and who goes with it.
    static func account(
        _ account: String, _ directory: StateDirectory, _ configuration: FolderConfiguration
    ) throws -> String {
        let measure = try FirstUpload.measure(of: directory)
        return "Signed in as \(account).\n\(FirstUploadText.text(measure, configuration))"
    }

    /// What to do next.
    static func next(_ directory: StateDirectory, isStarted: Bool) -> String {
        let word = ShellWord.quoted(directory.folder.string)
        let start = isStarted ? "" : "\n  zonefolder start \(word)     sync it from now on"
        return "\nNext:\(start)\n  zonefolder status \(word)    see how it stands"
    }
}
