package import SyncModel

extension BaseEntry {
    /// The record's own file.
    package var ownFile: AgreedFile {
        AgreedFile(record: name, path: path, hash: hash, file: file, modified: modified, isAsset: false)
    }

    /// An asset of the record; `nil` where it is not known which file it is.
    func file(of asset: AgreedAsset) -> AgreedFile? {
        asset.file.map {
            AgreedFile(record: name, path: asset.path, hash: asset.hash, file: $0, modified: 0, isAsset: true)
        }
    }

    /// The record's asset at a path that is this file.
    func assetFile(_ file: FileIdentity, at path: FolderPath) -> AgreedFile? {
        assets.first { $0.file == file && $0.path == path }.flatMap(self.file(of:))
    }

    /// It is not known any more which file an asset is.
    mutating func loseAsset(_ file: FileIdentity, at path: FolderPath) {
        for index in assets.indices where assets[index].file == file && assets[index].path == path {
            assets[index].file = nil
        }
    }
}

extension AgreedAsset {
    /// Whether it is not known which file it is, or when that was made.
    var isOfUnknownBirth: Bool { file.map { $0.born == 0 } ?? true }
}
