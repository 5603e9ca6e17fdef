public import SyncModel

/// Files that are not read, as they are larger than anything that is sent, where the zone may have their bytes all the same:
/// another device may send larger ones.
extension SyncTrees {
    /// Whether a file can have the bytes that a record has: the zone's content for the path, or for the file wherever it was,
    /// is of this very size, or its size is not known.
    public func mayHaveBytesOfRecord(_ file: FileIdentity, size: Int64, at path: FolderPath) -> Bool {
        var names = Set(
            claims.claimants(of: path) + baseRecords(at: path).map(\.name)
                + [ownFile(file), assetFile(file)]
                .compactMap { $0?.record })
        names.formUnion(agreed.byAsset[path] ?? [])
        names.formUnion((owners[path] ?? []).compactMap(record(at:)))
        return names.contains { name in
            guard let remote = remote[name], base[name].map({ $0.isUnchanged(in: remote) }) ?? true else { return true }
            return remote.assets.contains { $0.size == size }
        }
    }

    /// How large the contents are that the zone has of files which are missing where both sides had them: a person who moved one
    /// by copying it left a file of that size elsewhere, and nothing but its bytes tells whose it is.
    public var sizesOfMissingFiles: Set<Int64> {
        var sizes: Set<Int64> = []
        for name in dirtyRecords {
            guard let entry = base[name], let assets = remote[name]?.assets, !assets.isEmpty, lacksFiles(entry) else {
                continue
            }
            sizes.formUnion(assets.map(\.size))
        }
        return sizes
    }

    private func lacksFiles(_ entry: BaseEntry) -> Bool {
        !isBound(entry) || attached(to: entry).contains { !local.contains($0.path) }
    }

    /// The files that were not read and are as large as what the zone has of some records.
    public func unreadFiles(sizedAs names: some Sequence<RecordName>) -> [FolderPath] {
        guard !unreadFiles.isEmpty else { return [] }
        var sizes: Set<Int64> = []
        for name in names { sizes.formUnion(remote[name]?.assets.map(\.size) ?? []) }
        guard !sizes.isEmpty else { return [] }
        var found: [FolderPath] = []
        for path in unreadFiles {
            if let size = local[path]?.stamp.size, sizes.contains(size) { found.append(path) }
        }
        return found.sorted()
    }

    /// The same of the records that had files at some paths when both sides last agreed.
    public func unreadFiles(sizedAsThoseOf paths: [FolderPath]) -> [FolderPath] {
        guard !unreadFiles.isEmpty else { return [] }
        var names: Set<RecordName> = []
        for path in paths {
            names.formUnion(baseRecords(at: path).map(\.name))
            names.formUnion(agreed.byAsset[path] ?? [])
        }
        return unreadFiles(sizedAs: names)
    }
}
