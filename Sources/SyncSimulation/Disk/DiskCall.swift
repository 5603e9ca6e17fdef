/// What the product asks of a disk, as far as faults tell it apart.
enum DiskCall: Sendable, Equatable {
    case look, list
    case read(DiskTree.Inode)
    case makeFile, makeDirectory, rename, remove, setAttributes, sync
    case write(DiskTree.Inode)

    /// Whether the disk is changed by it.
    var isChange: Bool {
        switch self {
        case .look, .list, .read, .sync: false
        default: true
        }
    }
}
