import LocalFolder

extension FolderError {
    /// Whether a look at the file finds that, too, so that it is told by the look or is no more. What is wrong with the disk or
    /// with the state directory no look at a file finds, as where a copy of it is made.
    var isSeenByLook: Bool {
        switch code {
        case .changing, .notFound, .notAFile, .folderMissing: true
        case .noPermission, .otherFileSystem, .tooManyOpenFiles, .inputOutput: path != nil
        case .readOnly, .noSpace, .nameTooLong, .unsupported, .tooLarge: false
        }
    }
}
