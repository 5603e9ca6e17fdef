import LosslessJSON

/// Lists of scalars as sets: what either side added is in, what either side removed is out.
enum ListMerge {
    struct Element {
        let canonical: [UInt8]
        let text: [UInt8]
    }

    /// The merged list, or `nil` where a side did more than add and remove: changed the order of what stayed, or
    /// has an element twice; or where an element is a list or an object.
    static func merge(base: JSONNode, local: JSONNode, remote: JSONNode) -> [UInt8]? {
        guard let b = scalars(base), let l = scalars(local), let r = scalars(remote) else { return nil }
        let (inBase, inLocal, inRemote) = (set(b), set(l), set(r))
        guard inBase.count == b.count, inLocal.count == l.count, inRemote.count == r.count else { return nil }
        func keepsOrder(_ list: [Element], _ members: Set<[UInt8]>) -> Bool {
            list.lazy.map(\.canonical).filter(inBase.contains)
                .elementsEqual(b.lazy.map(\.canonical).filter(members.contains))
        }
        guard keepsOrder(l, inLocal), keepsOrder(r, inRemote) else { return nil }
        let kept = r.filter { inLocal.contains($0.canonical) || !inBase.contains($0.canonical) }
        // What the folder added comes after the element that it stands behind there, of those that are left.
        let anchors = set(kept)
        var added: [[UInt8]?: [Element]] = [:]
        var anchor: [UInt8]?
        for element in l {
            if anchors.contains(element.canonical) {
                anchor = element.canonical
            } else if !inBase.contains(element.canonical) {
                added[anchor, default: []].append(element)
            }
        }
        let merged = (added[nil] ?? []) + kept.flatMap { [$0] + (added[$0.canonical] ?? []) }
        return text(merged, like: remote)
    }

    /// The elements of a list of scalars; `nil` for anything else.
    static func scalars(_ node: JSONNode) -> [Element]? {
        guard node.kind == .array else { return nil }
        var elements: [Element] = []
        for element in node.elements {
            guard element.kind != .array, element.kind != .object else { return nil }
            elements.append(Element(canonical: CanonicalJSON.bytes(element), text: Array(element.text)))
        }
        return elements
    }

    /// A list in the manner of another one: with what stands before its first element, between its first two, and
    /// after its last.
    static func text(_ elements: [Element], like list: JSONNode) -> [UInt8] {
        let ranges = list.elements.map(\.range)
        guard let first = ranges.first, let last = ranges.last else {
            return Array("[".utf8) + elements.map(\.text).joined(separator: Array(", ".utf8)) + Array("]".utf8)
        }
        let text = list.text
        let open = text[..<first.lowerBound]
        let between =
            ranges.count > 1
            ? Array(text[first.upperBound..<ranges[1].lowerBound])
            : [UInt8(ascii: ",")] + (open.count > 1 ? Array(open.dropFirst()) : [UInt8(ascii: " ")])
        guard !elements.isEmpty else { return Array("[]".utf8) }
        return Array(open) + elements.map(\.text).joined(separator: between) + text[last.upperBound...]
    }

    private static func set(_ elements: [Element]) -> Set<[UInt8]> {
        Set(elements.map(\.canonical))
    }
}
