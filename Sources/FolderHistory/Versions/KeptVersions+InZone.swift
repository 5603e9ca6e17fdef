import LocalFolder
import StateStorage
public import SyncModel

extension KeptVersions {
    /// The files that are gone from the folder, and whose last bytes the zone alone has: they come into the history just before the
    /// deletion goes out. What is kept of such a file is older.
    /// - Parameter path: The file, or the folder, that is meant; `nil` for all.
    public func onlyInZone(atOrBelow path: FolderPath?) throws -> Set<FolderPath> {
        let reader = FolderReader(root: root)
        let newest = Dictionary(all.map { ($0.path, $0) }) { first, _ in first }
        let gone = try StateStore.look(at: directory) { try Self.gone(atOrBelow: path, from: reader, in: $0) }
        return Set(
            try gone.compactMap { file, agreed in
                let isKept = try newest[file].map { agreed.hashes.contains(try contents(of: $0).hash) } ?? false
                return isKept ? nil : file
            })
    }

    /// The files that both sides agree on and that the folder has nowhere. One that was renamed is in it still.
    private static func gone(
        atOrBelow path: FolderPath?, from folder: FolderReader, in store: StateStore
    ) throws -> [FolderPath: AgreedPlaces.Agreed] {
        var places = AgreedPlaces()
        try store.eachAgreed { places.add($0) }
        var gone = places.files.filter { file, _ in
            (path.map { file == $0 || file.isBelow($0) } ?? true) && folder.stamp(of: file) == nil
        }
        guard !gone.isEmpty else { return [:] }
        var byBytes: [ContentHash: [FolderPath]] = [:]
        var byNumber: [FileIdentity: [FolderPath]] = [:]
        for (file, agreed) in gone {
            for hash in agreed.hashes { byBytes[hash, default: []].append(file) }
            for identity in agreed.files { byNumber[identity.number, default: []].append(file) }
        }
        try store.eachFile { seen in
            var candidates = byNumber[seen.file.number] ?? []
            if places.isFree(seen.path, seen.file) { candidates += byBytes[seen.hash] ?? [] }
            guard !candidates.isEmpty, let stamp = folder.stamp(of: seen.path) else { return }
            let found = candidates.filter { places.isRenamed($0, to: seen.path, stamp.file, seen.hash) }
            guard !found.isEmpty else { return }
            for file in found { gone[file] = nil }
            byBytes[seen.hash]?.removeAll { gone[$0] == nil }
        }
        return gone
    }
}
