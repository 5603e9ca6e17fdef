import SystemPackage

/// What is wrong with a data directory.
extension ServerError {
    static func newerData(_ directory: FilePath) -> Self {
        Self(
            code: .newer,
            message:
                "A later version of this program wrote the data in \(directory), and this one could damage it. Use that "
                + "version or a later one, or choose another directory.")
    }

    static func foreignData(_ file: FilePath) -> Self {
        Self(
            code: .damaged,
            message: "\(file) is the database of another program. Choose another directory, or move the file away.")
    }

    static func damagedData(_ file: String, _ reason: String) -> Self {
        Self(
            code: .damaged,
            message:
                "\(file) is damaged, or no server's database: \(reason). Move it away and put a backup in its place, or "
                + "choose another directory.")
    }

    static func fullDisk(_ directory: FilePath) -> Self {
        Self(
            code: .diskFull,
            message:
                "The disk of \(directory) is full, or this user's share of it. Make room there, then try again: nothing was lost."
        )
    }

    static func failingDisk(_ directory: FilePath, _ reason: String) -> Self {
        Self(
            code: .file,
            message:
                "The server's data in \(directory) cannot be written: \(reason). That is not for want of room: see in the "
                + "system's log (`journalctl -k`) what is wrong with the disk, and try again when it is mended.")
    }

    static func unusableData(_ directory: FilePath, _ reason: String) -> Self {
        Self(
            code: .file,
            message:
                "The server's data in \(directory) cannot be used: \(reason). Let this user write there, or choose another "
                + "directory.")
    }

    static func unknownHost(_ host: String, _ reason: String) -> Self {
        Self(
            code: .address,
            message:
                "Cannot listen on \(host): \(reason). Choose an address of this machine, such as 127.0.0.1, or a name that "
                + "leads to one.")
    }
}
