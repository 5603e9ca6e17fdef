public import FolderSettings
public import LocalFolder
import StateRows
import StateStorage
import SystemPackage

/// What the first sync of a folder sends.
public enum FirstUpload {
    /// Everything in the folder that no rule leaves out. Of it, what the zone has already is not sent.
    public static func measure(of directory: StateDirectory) throws -> FolderMeasure {
        let root = try FolderRoot(opening: directory.folder)
        return FolderScanner(root: root, rules: try IgnoreRules.read(from: root)).measure()
    }

    /// The same, where the folder was never synced; `nil` where it was.
    public static func measureIfAhead(of directory: StateDirectory) throws -> FolderMeasure? {
        let configuration = try FolderConfiguration(of: directory)
        let isAhead = try StateStore.look(at: directory) { store in
            let zone = try store.zone(ZoneKey(name: configuration.zone, owner: configuration.owner))
            // A zone that was lost waits for a person's word, which is asked for elsewhere.
            return zone.token == nil && zone.incarnation == 0
        }
        return isAhead ? try measure(of: directory) : nil
    }
}
