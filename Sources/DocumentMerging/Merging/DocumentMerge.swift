public import LosslessJSON
import RecordMapping
import RecordPaths

/// Joins what two sides made of one structured document (design.md §6, "Both sides changed a structured record").
///
/// Value by value: where one side changed, that side's; where both did alike, that; where both changed objects, the
/// same again inside; text of several lines by lines; lists of scalars as sets where both sides only added or
/// removed; a latitude and a longitude side by side as one value. What is left is decided by policy. A change
/// outlives a removal. Without a base, what one side has is kept and what differs is decided by policy.
///
/// The merged text has the zone's layout, with what came from the folder set into it; or the other way around, where the folder's
/// file alone is laid out otherwise than what both sides agreed on.
public struct DocumentMerge {
    /// The merged document, and where the sides could not be joined.
    public struct Result: Hashable, Sendable {
        /// The whole document.
        public var bytes: [UInt8]
        /// In the order of the zone's document.
        public var collisions: [MergeCollision]
    }

    let policy: (_ path: [String]) -> MergePolicy
    let newest: MergeSide
    var collisions: [MergeCollision] = []

    /// Merges two documents.
    /// - Parameters:
    ///   - base: What both sides last agreed on, where it is known.
    ///   - sent: The versions that this device sent without an answer; the zone may have any of them, or none. They are for
    ///     counters, and for what was put back since to what both sides agreed on; what else they change in a merge,
    ///     ``ancestor(base:sent:remote:)`` has put into the base.
    ///   - newest: The side that was written later, for the policy of that name.
    ///   - policy: The policy for a value, by the keys that lead to it.
    public static func merge(
        base: JSONDocument?, local: JSONDocument, remote: JSONDocument, sent: [JSONDocument] = [],
        newest: MergeSide = .remote, policy: (_ path: [String]) -> MergePolicy = { _ in .remote }
    ) -> Result {
        withoutActuallyEscaping(policy) { policy in
            var merge = DocumentMerge(policy: policy, newest: newest)
            let (l, r) = (CanonicalJSON.bytes(local.root), CanonicalJSON.bytes(remote.root))
            let b = base.map { CanonicalJSON.bytes($0.root) }
            func laidOut(_ merged: [UInt8]) -> [UInt8] {
                Self.laidOut(merged, base: base, local: local, remote: remote)
            }
            let isPutBack = Self.isPutBack(b, from: sent.map(\.root))
            if l == r || l == b && !isPutBack { return Result(bytes: laidOut(remote.bytes), collisions: []) }
            if r == b {
                return Result(
                    bytes: Self.laidOutAnew(base: base, local: local, remote: remote), collisions: [])
            }
            guard local.root.kind == .object, remote.root.kind == .object else {
                let side = merge.decide([])
                return Result(bytes: side == .local ? local.bytes : remote.bytes, collisions: merge.collisions)
            }
            let bytes = merge.object(
                base: base?.root, local: local.root, remote: remote.root, sent: sent.map { $0.root },
                in: remote.bytes[...], path: [])
            return Result(bytes: laidOut(bytes), collisions: merge.collisions)
        }
    }

    /// Merges the members of two objects into the text that holds the zone's.
    private mutating func object(
        base: JSONNode?, local: JSONNode, remote: JSONNode, sent: [JSONNode?], in text: ArraySlice<UInt8>,
        path: [String]
    ) -> [UInt8] {
        let base = Members(base)
        let local = Members(local)
        let remoteMembers = Members(remote)
        let sent = sent.map { Members($0) }
        var texts: [(field: String, key: String, text: [UInt8])] = []
        let place = coordinates(base: base, local: local, remote: remoteMembers, sent: sent, path: path)
        for id in remoteMembers.order + local.order.filter({ remoteMembers.nodes[$0] == nil }) {
            let key = remoteMembers.keys[id] ?? local.keys[id] ?? ""
            let (b, l, r) = (base.nodes[id], local.nodes[id], remoteMembers.nodes[id])
            let merged: [UInt8]?
            if let place, id == "latitude" || id == "longitude" {
                merged = (place == .local ? l : r).map { Array($0.text) }
            } else {
                merged = value(base: b, local: l, remote: r, sent: sent.map { $0.nodes[id] }, path: path + [key])
            }
            if let merged { texts.append((id, key, merged)) }
        }
        guard !remoteMembers.order.isEmpty else { return texts.isEmpty ? Array(text) : Self.plain(texts) }
        return FileLayout(of: remote, in: text, fields: remoteMembers.order).bytes(texts: texts)
    }

    /// Merges one value; `nil` stands for none.
    private mutating func value(
        base: JSONNode?, local: JSONNode?, remote: JSONNode?, sent: [JSONNode?], path: [String]
    ) -> [UInt8]? {
        let b = base.map(CanonicalJSON.bytes)
        let l = local.map(CanonicalJSON.bytes)
        let r = remote.map(CanonicalJSON.bytes)
        let (localText, remoteText) = (local.map { Array($0.text) }, remote.map { Array($0.text) })
        if l == r { return remoteText }
        if r == b { return localText }
        let policy = policy(path)
        if policy == .counter, !sent.isEmpty, [base, local, remote].allSatisfy({ $0?.kind == .number }) {
            let changed = sent.map { $0.map(CanonicalJSON.bytes) }.filter { $0 != b }
            if changed.contains(r) { return localText }
            // A sum does not tell what it was made of: what was sent may be in it, and would count twice.
            if !changed.isEmpty { return decide(path) == .local ? localText : remoteText }
        }
        let isPutBack = l == b && Self.isPutBack(b, from: sent)
        if l == b, !isPutBack { return remoteText }
        guard let local, let remote else {
            // Removed on one side, changed on the other; or, without a base, there on one side only.
            if base != nil || isPutBack {
                collisions.append(MergeCollision(path: path, kept: local == nil ? .remote : .local))
            }
            return localText ?? remoteText
        }
        if let joined = MergeFunction.join(base: base, local: local, remote: remote, policy: policy) { return joined }
        if local.kind == .object, remote.kind == .object, ExplicitForm(local) == nil, ExplicitForm(remote) == nil {
            let objectBase = base?.kind == .object ? base : nil
            return object(base: objectBase, local: local, remote: remote, sent: sent, in: remote.text, path: path)
        }
        if let base, !isPutBack {
            if let ours = local.string, let theirs = remote.string, let old = base.string,
                let lines = LineMerge.merge(base: old, local: ours, remote: theirs)
            {
                return JSONSpelling.string(lines)
            }
            if let list = ListMerge.merge(base: base, local: local, remote: remote) { return list }
        }
        return decide(path) == .local ? localText : remoteText
    }

    /// Whether something else was sent of a value that is, here, what both sides agreed on: the zone's may be made of that, and
    /// then it was put back here, which no merge can tell from leaving it alone.
    private static func isPutBack(_ agreed: [UInt8]?, from sent: [JSONNode?]) -> Bool {
        sent.contains { $0.map(CanonicalJSON.bytes) != agreed }
    }

    /// The side that the policy prefers, noted as a collision.
    private mutating func decide(_ path: [String]) -> MergeSide {
        let side: MergeSide =
            switch policy(path) {
            case .local: .local
            case .newest: newest
            case .remote, .counter, .max, .min, .union: .remote
            }
        collisions.append(MergeCollision(path: path, kept: side))
        return side
    }

    /// Whose coordinates an object has in the end, where both sides moved the place or took it away; `nil` where at most
    /// one of them did, and for an object that is no place in any version.
    private mutating func coordinates(
        base: Members, local: Members, remote: Members, sent: [Members], path: [String]
    ) -> MergeSide? {
        func pair(_ members: Members) -> [[UInt8]?] {
            ["latitude", "longitude"].map { members.nodes[$0].map(CanonicalJSON.bytes) }
        }
        let none: [[UInt8]?] = [nil, nil]
        let (b, l, r) = (pair(base), pair(local), pair(remote))
        let isPutBack = l == b && sent.contains { pair($0) != b }
        guard l != r, l != b || isPutBack, r != b, [b, l, r].contains(where: { !$0.contains(nil) }) else { return nil }
        guard l != none, r != none else {
            let side: MergeSide = l == none ? .remote : .local
            collisions.append(MergeCollision(path: path + ["latitude"], kept: side))
            return side
        }
        return decide(path + ["latitude"])
    }

    private static func plain(_ texts: [(field: String, key: String, text: [UInt8])]) -> [UInt8] {
        let members = texts.map { JSONSpelling.string($0.key) + Array(": ".utf8) + $0.text }
        return Array("{".utf8) + members.joined(separator: Array(", ".utf8)) + Array("}".utf8)
    }

    /// An object's members by an id that is plain ASCII: Swift's strings would take two keys for one that differ
    /// only in Unicode normal form.
    struct Members {
        var order: [String] = []
        var keys: [String: String] = [:]
        var nodes: [String: JSONNode] = [:]

        init(_ node: JSONNode?) {
            guard let node, node.kind == .object else { return }
            for member in node.members {
                let id = String(decoding: PercentEncoding.encode(member.key.utf8), as: UTF8.self)
                order.append(id)
                keys[id] = member.key
                nodes[id] = member.value
            }
        }
    }
}
