import SystemPackage

/// Why a backup is not made where it was asked for, or was not finished.
extension ServerError {
    static func backupIntoData(_ target: FilePath, _ data: FilePath) -> Self {
        Self(
            code: .name,
            message:
                "\(target) belongs to the data that is to be copied, in \(data). Name a directory outside of it, on another "
                + "disk where there is one.")
    }

    static func backupOntoDisk(_ target: FilePath) -> Self {
        Self(
            code: .name,
            message:
                "\(target) is where a disk is mounted, and a backup gets its name only when it is whole. Name a directory "
                + "in it, such as \(target.appending("zonefolder")).")
    }

    static func backupOntoFile(_ target: FilePath) -> Self {
        Self(code: .name, message: "\(target) is no directory. Name one for the backup, or a name that is free.")
    }

    static func backupOntoOtherThings(_ target: FilePath) -> Self {
        Self(
            code: .name,
            message:
                "\(target) holds something else than a backup of this server. Name an empty directory, or a name that is "
                + "free.")
    }

    static func backupOntoOtherServer(_ target: FilePath) -> Self {
        Self(
            code: .name,
            message: "\(target) holds the data of another server. Name another directory, or a name that is free.")
    }

    static func backupOntoServer(_ target: FilePath) -> Self {
        Self(
            code: .name,
            message:
                "\(target) is not a backup as it was made: it was served or changed since, and may hold what is nowhere else. "
                + "Name another directory, or a name that is free.")
    }

    static func backupOfAnotherUser(_ target: FilePath) -> Self {
        Self(
            code: .file,
            message:
                "\(target) is a backup that another user made. Run this as that user, or name another directory.")
    }

    static func backupTargetInUse(_ target: FilePath) -> Self {
        Self(
            code: .inUse,
            message:
                "A server uses \(target), or another backup is made there. Wait until it ends, or name another directory."
        )
    }

    static func noPlaceForBackup(_ above: FilePath) -> Self {
        Self(
            code: .missing,
            message: "\(above) is not there. See to the spelling, and that its disk is mounted; or make the directory.")
    }

    static func noNameForBackup(_ target: FilePath, in above: FilePath, _ error: Errno) -> Self {
        Self(
            code: .file,
            message:
                "A backup is made beside \(target) first, and \(above) takes nothing: \(error). Let this user write there, or "
                + "name a directory in one where they may, such as \(target.appending("zonefolder")).")
    }

    static func foreignUnfinishedBackup(_ place: FilePath) -> Self {
        Self(
            code: .file,
            message:
                "\(place) is not what an earlier backup of this user left unfinished, and stands in the way. Move it away, or "
                + "name another directory.")
    }

    static func noSpaceForBackup(_ bytes: Int64, _ free: Int64, in place: FilePath) -> Self {
        Self(
            code: .diskFull,
            message:
                "The assets need \(bytes / 1_000_000 + 1) MB, and the disk of \(place) has \(free / 1_000_000) MB left. Make "
                + "room there, or choose another disk.")
    }

    /// - Parameter place: Where the backup was made: its target, or beside it.
    static func unfinishedBackup(_ error: any Error, in place: FilePath, of target: FilePath) -> Self {
        let reason = (error as? ServerError)?.message ?? "\(error)."
        let state =
            place == target
            ? "What is there is a whole backup." : "What was copied so far is in \(place), and is no backup."
        return Self(
            code: (error as? ServerError)?.code ?? .file,
            message: "The backup in \(target) was not finished. \(reason) \(state) The next one goes on from there.")
    }
}
