import FolderControl
import FolderSettings
import StateStorage
import SyncModel
import SystemPackage

/// Where the files of open conflicts are by now: a conflict follows its file where that was renamed since, here or elsewhere.
enum ConflictPlaces {
    /// The conflicts as they were told, each with the path at which its file is.
    static func following(
        _ conflicts: [StatusReport.Conflict], in directory: StateDirectory
    ) -> [StatusReport.Conflict] {
        guard !conflicts.isEmpty else { return conflicts }
        let places: [FolderPath: FolderPath]
        do {
            let fileType = try FolderConfiguration(of: directory).fileRecordType
            places = try StateStore.look(at: directory) { try $0.conflictPlaces(fileType: fileType) }
        } catch {
            // The daemon's answer stands by itself, also where settings or state cannot be read just now.
            return conflicts
        }
        return conflicts.map { conflict in
            guard let copy = FolderPath(shown: conflict.copy), let place = places[copy] else { return conflict }
            return following(conflict, to: place, in: directory.folder)
        }
    }

    /// - Parameter place: Where both sides have the file by what they agreed on.
    private static func following(
        _ conflict: StatusReport.Conflict, to place: FolderPath, in folder: FilePath
    ) -> StatusReport.Conflict {
        // A rename that is still under way: the file is where it was.
        if let before = FolderPath(shown: conflict.path), PlainFiles.isThere(folder.pushing(before)),
            !PlainFiles.isThere(folder.pushing(place))
        {
            return conflict
        }
        var conflict = conflict
        conflict.path = "\(place)"
        return conflict
    }
}
