import LocalFolder
public import SyncModel

extension KeptVersions {
    /// The files that stand in the folder now and were last written by a moment: where nothing that is kept took a place since,
    /// they are what stood there then. What a rule leaves out is among them only where it is named itself.
    /// - Parameters:
    ///   - path: The file, or the folder, that is meant; `nil` for all.
    ///   - moment: In milliseconds since 1970; what was written in that very second counts.
    /// - Returns: None of a folder where the rules cannot be read.
    public func standing(atOrBelow path: FolderPath?, writtenBy moment: Int64) -> Set<FolderPath> {
        let reader = FolderReader(root: root)
        func stoodThen(_ file: FolderPath) -> Bool {
            // A modification time that lies after the last change of any kind is not when the file was written.
            reader.stamp(of: file).map { min($0.modified, $0.changed) / 1_000_000_000 <= moment / 1000 } ?? false
        }
        if let path, reader.stamp(of: path) != nil { return stoodThen(path) ? [path] : [] }
        guard let rules = try? IgnoreRules.read(from: root) else { return [] }
        let scanner = FolderScanner(root: root, rules: rules)
        return Set(scanner.walk(path.map { ScanScope.paths([$0]) } ?? .whole).unread.filter(stoodThen))
    }
}
