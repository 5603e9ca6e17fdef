public import CloudKitWire
public import SyncModel

/// What tells of an asset's bytes, besides themselves, whether they are the right ones (reliability §4.26), and what is to be
/// made of those that came.
///
/// The checksum of a server of our own and the hint's hash belong to just this asset: what differs from them is wrong. A file
/// record's `sha256` may be left over: another app can change the content without it.
public struct AssetWitnesses: Hashable, Sendable {
    /// In bytes.
    public var size: Int64?
    /// The server's own; `nil` where its making is not known.
    public var checksum: AssetChecksum?
    /// What the hints of a structured record say of this asset.
    public var hint: ContentHash?
    /// What a file record says of its content.
    public var sha256: ContentHash?

    /// Bytes that were fetched once.
    public struct Fetch: Hashable, Sendable {
        public var size: Int64
        public var hash: ContentHash
        /// Whether they came over a connection that carried nothing else.
        public var isFresh: Bool

        /// What came, and how.
        public init(size: Int64, hash: ContentHash, isFresh: Bool) {
            self.size = size
            self.hash = hash
            self.isFresh = isFresh
        }
    }

    /// What is to be made of the bytes that came last.
    public enum Verdict: Hashable, Sendable {
        /// They are the asset's, as far as anything tells.
        case accepted
        /// They are the asset's, and the record's `sha256` is not.
        case acceptedOverStaleHash
        /// Fetch once more, over a fresh connection.
        case fetchAgain
        /// They must not show.
        case refused(Difference)
    }

    /// In what the bytes differ from what they should be.
    public enum Difference: Hashable, Sendable {
        case size(expected: Int64, came: Int64)
        /// With the start of each SHA-256 in hexadecimal digits.
        case hash(by: Witness, expected: String, came: String)
    }

    /// Who tells of a hash.
    public enum Witness: String, Hashable, Sendable, CaseIterable {
        case checksum, hint, sha256
    }

    /// So many fetches over fresh connections that agree win over a `sha256` alone.
    private static let agreeingFetches = 2
    /// Digits of a hash that are shown.
    private static let shownDigits = 12

    /// What is known of a structured record's asset.
    /// - Parameter hints: The record's.
    public init(of asset: Asset, hints: RecordHints?) {
        size = asset.size
        checksum = asset.fileChecksum.flatMap { AssetChecksum($0) }
        hint = asset.fileChecksum.flatMap { hints?.hashes[$0] }
    }

    /// What is known of a file record's content; nothing where it has none.
    public init(of file: FileRecord) {
        size = file.content?.size
        checksum = file.content?.fileChecksum.flatMap { AssetChecksum($0) }
        sha256 = file.sha256
    }

    /// Whether bytes that are here already are the asset's, so that they need not be fetched.
    public func vouch(for hash: ContentHash, size: Int64) -> Bool {
        self.size == size && areOf(hash)
    }

    /// Whether what tells of the bytes says that they have this hash.
    public func areOf(_ hash: ContentHash) -> Bool {
        if let checksum { return checksum.isOf(sha256: hash.bytes) }
        return (hint ?? sha256) == hash
    }

    /// Decides over what came, after up to three fetches, the newest last.
    ///
    /// The first one may share a connection; all others have to be fresh.
    public func verdict(on fetches: [Fetch]) -> Verdict {
        guard let last = fetches.last else { return .fetchAgain }
        guard let difference = difference(of: last) else {
            return sha256 == nil || sha256 == last.hash ? .accepted : .acceptedOverStaleHash
        }
        var enough = Self.agreeingFetches
        if case .hash(by: .sha256, _, _) = difference {
            let agreeing = fetches.count { $0.isFresh && $0.hash == last.hash && $0.size == last.size }
            if agreeing >= Self.agreeingFetches { return .acceptedOverStaleHash }
            enough = Self.agreeingFetches + 1
        }
        return fetches.count < enough ? .fetchAgain : .refused(difference)
    }

    /// In what bytes differ from what the surest witness says.
    private func difference(of fetch: Fetch) -> Difference? {
        if let size, size != fetch.size { return .size(expected: size, came: fetch.size) }
        func difference(by witness: Witness, _ expected: some Sequence<UInt8>, _ isRight: Bool) -> Difference? {
            isRight ? nil : .hash(by: witness, expected: Self.shown(expected), came: Self.shown(fetch.hash.bytes))
        }
        if let checksum {
            return difference(by: .checksum, checksum.bytes.dropFirst(), checksum.isOf(sha256: fetch.hash.bytes))
        }
        if let hint {
            return difference(by: .hint, hint.bytes, hint == fetch.hash)
        }
        return sha256.flatMap { difference(by: .sha256, $0.bytes, $0 == fetch.hash) }
    }

    private static func shown(_ hash: some Sequence<UInt8>) -> String {
        let digits = hash.prefix(shownDigits / 2).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        return digits.joined()
    }
}
