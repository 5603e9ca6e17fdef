import FolderSettings
import LocalFolder
import StateStorage

/// What is said of a folder before its files go anywhere.
enum FirstUploadText {
    static func text(_ measure: FolderMeasure, _ configuration: FolderConfiguration) -> String {
        let zone = "the zone '\(configuration.zone)' of \(configuration.container)"
        let unread =
            measure.unreadable == 0
            ? "" : " \(measure.unreadable) that cannot be read \(measure.unreadable == 1 ? "is" : "are") not counted."
        guard measure.files > 0 else { return "No file is there to be sent to \(zone).\(unread)" }
        return "\(Amounts.count(measure.files, "file")), \(Amounts.bytes(measure.bytes)), "
            + "\(measure.files == 1 ? "goes" : "go") to \(zone); what is there already is not sent again.\(unread)"
    }
}
