public import SyncModel

/// Which files belong to the records of structured files.
extension SyncTrees {
    /// Whether a structured file names this file as an asset.
    public func isAttached(_ path: FolderPath) -> Bool {
        owners[path] != nil
    }

    /// The files here that only such files name as are assets of others themselves, each with one of those: no record has them.
    public var filesNamedByAssetsAlone: [(path: FolderPath, text: FolderPath)] {
        let texts = folder.namedTexts
        guard !texts.isEmpty else { return [] }
        let named = Set(texts.flatMap { local[$0]?.form.attachments.map(\.path) ?? [] })
        return named.sorted().compactMap { path in
            guard local.contains(path), let owners = owners[path], owners.isSubset(of: texts) else { return nil }
            return owners.min().map { (path, $0) }
        }
    }
}
