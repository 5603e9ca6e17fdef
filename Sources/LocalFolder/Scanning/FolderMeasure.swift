/// How much a folder holds that no rule leaves out.
public struct FolderMeasure: Hashable, Sendable {
    public var files: Int
    public var bytes: Int64
    /// Files and directories that could not be looked at, and are not counted.
    public var unreadable: Int

    /// Takes the counts.
    public init(files: Int, bytes: Int64, unreadable: Int = 0) {
        self.files = files
        self.bytes = bytes
        self.unreadable = unreadable
    }
}
