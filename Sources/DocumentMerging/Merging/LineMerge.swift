/// A text of several lines, changed on two sides, merged by lines.
enum LineMerge {
    /// The merged text, or `nil` where both sides changed the same or neighbouring lines differently, where the base
    /// is a single line, or where the sides have so little in common that comparing them is not worth it.
    static func merge(base: String, local: String, remote: String) -> String? {
        guard base.utf8.contains(UInt8(ascii: "\n")) else { return nil }
        let (b, l, r) = (lines(base), lines(local), lines(remote))
        var ids: [ArraySlice<UInt8>: Int] = [:]
        func numbered(_ lines: [ArraySlice<UInt8>]) -> [Int] {
            lines.map { line in
                let id = ids[line] ?? ids.count
                ids[line] = id
                return id
            }
        }
        let (bIDs, lIDs, rIDs) = (numbered(b), numbered(l), numbered(r))
        guard let toLocal = LineDiff.matches(from: bIDs, to: lIDs),
            let toRemote = LineDiff.matches(from: bIDs, to: rIDs)
        else { return nil }
        var merged: [UInt8] = []
        var (at, atLocal, atRemote) = (0, 0, 0)
        while at < b.count || atLocal < l.count || atRemote < r.count {
            if at < b.count, toLocal[at] == atLocal, toRemote[at] == atRemote {
                merged += b[at]
                (at, atLocal, atRemote) = (at + 1, atLocal + 1, atRemote + 1)
                continue
            }
            var next = at
            while next < b.count, toLocal[next] == nil || toRemote[next] == nil { next += 1 }
            let endLocal = next < b.count ? toLocal[next]! : l.count
            let endRemote = next < b.count ? toRemote[next]! : r.count
            let old = bIDs[at..<next]
            let (ours, theirs) = (lIDs[atLocal..<endLocal], rIDs[atRemote..<endRemote])
            if ours == theirs || ours == old {
                merged += r[atRemote..<endRemote].joined()
            } else if theirs == old {
                merged += l[atLocal..<endLocal].joined()
            } else {
                return nil
            }
            (at, atLocal, atRemote) = (next, endLocal, endRemote)
        }
        return String(decoding: merged, as: UTF8.self)
    }

    /// The lines with their ends; a text that does not end in one has a last line without.
    private static func lines(_ text: String) -> [ArraySlice<UInt8>] {
        let bytes = Array(text.utf8)
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
            lines.append(bytes[start...index])
            start = index + 1
        }
        if start < bytes.count { lines.append(bytes[start...]) }
        return lines
    }
}
