public import SyncModel

/// The rows of the three trees as they were stored, read one after the other. Two kinds may be asked for at the same time.
public protocol StoredRows: Sendable {
    /// The files as last seen, in the order of their paths.
    func eachFile(_ take: (LocalEntry) -> Void) throws
    /// The records of the zone, in no order.
    func eachRecord(_ take: (RemoteEntry) -> Void) throws
    /// What both sides last agreed on, in no order.
    func eachAgreed(_ take: (BaseEntry) -> Void) throws
}

extension SyncTrees {
    /// Takes in three trees as they were stored, in the place of empty ones. Marked is what they differ in.
    ///
    /// A start of a large folder waits for nothing but a processor: the records are read beside the rest.
    /// - Parameters:
    ///   - known: What happened to files that no tree tells.
    ///   - onFiles: Given the files once they are read, before the rest is; on any thread.
    /// - Throws: What the rows throw. The trees are what they were then.
    public mutating func load(
        _ rows: some StoredRows, provenance known: [FolderPath: Provenance] = [:],
        onFiles: @Sendable (LocalTree) -> Void = { _ in }
    ) throws {
        let (records, others) = inParallel { [claims] in
            Result {
                var claims = claims
                try rows.eachRecord { claims.load($0) }
                claims.endLoading()
                return claims
            }
        } and: { [trees = self] in
            Result {
                var trees = trees
                try rows.eachFile { trees.load($0) }
                trees.endLoading(onFiles)
                try rows.eachAgreed { trees.load($0) }
                return trees
            }
        }
        let claims = try records.get()
        self = try others.get()
        load(claims, provenance: known)
    }
}
