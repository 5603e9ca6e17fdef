/// The removals and insertions in one container, as splices between the items that stay.
///
/// A container's text is its items with gaps between them: white space before an item (its *lead*), white space
/// after it up to the comma (its *trail*). A gap between two items that were and stay neighbours is not touched.
/// Every other gap is written anew: the first item gets the old first lead, the last one the old last trail, an
/// item that stays keeps its own, and a new one copies its neighbours'.
struct JSONContainerEdit {
    private let storage: JSONStorage
    private let style: JSONLayoutStyle
    private let container: TapeEntry
    private let insertions: [JSONEditPlan.Insertion]

    /// Whole members or elements, as ranges of the text.
    private let items: [Range<Int>]
    private let stays: [Bool]
    /// The white space around each item.
    private let leads: [ArraySlice<UInt8>]
    private let trails: [ArraySlice<UInt8>]
    /// From the end of a key to its value.
    private let colons: [ArraySlice<UInt8>]

    init(
        storage: JSONStorage, style: JSONLayoutStyle, container index: Int, path: JSONEdit.Path, removed: Set<Int>,
        insertions: [JSONEditPlan.Insertion]
    ) throws(JSONEditError) {
        self.storage = storage
        self.style = style
        self.container = storage.tape[index]
        self.insertions = insertions
        let node = JSONNode(storage: storage, index: index)
        var items: [Range<Int>] = []
        var stays: [Bool] = []
        var colons: [ArraySlice<UInt8>] = []
        for member in node.members {
            items.append(member.keyRange.lowerBound..<member.value.range.upperBound)
            stays.append(!removed.contains(member.value.index))
            colons.append(storage.bytes[member.keyRange.upperBound..<member.value.range.lowerBound])
        }
        for element in node.elements {
            items.append(element.range)
            stays.append(!removed.contains(element.index))
        }
        var leads: [ArraySlice<UInt8>] = []
        var trails: [ArraySlice<UInt8>] = []
        for (ordinal, item) in items.enumerated() {
            let limit = ordinal + 1 < items.count ? items[ordinal + 1].lowerBound : Int(container.end) - 1
            let begin = ordinal == 0 ? Int(container.start) + 1 : trails[ordinal - 1].endIndex + 1
            leads.append(storage.bytes[begin..<item.lowerBound])
            let gap = storage.bytes[item.upperBound..<limit]
            trails.append(gap.prefix { $0 != UInt8(ascii: ",") })
        }
        (self.items, self.stays, self.colons, self.leads, self.trails) = (items, stays, colons, leads, trails)

        var keys: Set<JSONPathStep> = []
        for insertion in insertions {
            guard let key = insertion.key else { continue }
            if let there = node[key], !removed.contains(there.index) { throw .keyExists(key, in: path) }
            guard keys.insert(.key(key)).inserted else { throw .overlapping(path + [.key(key)]) }
        }
    }

    func splices() -> [JSONEditPlan.Splice] {
        var splices: [JSONEditPlan.Splice] = []
        var previous: Int?
        for ordinal in items.indices where stays[ordinal] {
            add(between: previous, and: ordinal, to: &splices)
            previous = ordinal
        }
        add(between: previous, and: nil, to: &splices)
        return splices
    }

    /// Writes the gap between two items that stay (`nil`: the container's bracket), where it has to change.
    private func add(between previous: Int?, and next: Int?, to splices: inout [JSONEditPlan.Splice]) {
        // Inserted ordinals count the items before: an insertion beside a removed item lies in the same gap.
        let after = (previous ?? -1) + 1
        let before = next ?? items.count
        let new = insertions.filter { $0.ordinal >= after && $0.ordinal <= before }
            .enumerated().sorted { ($0.element.ordinal, $0.offset) < ($1.element.ordinal, $1.offset) }
            .map(\.element)
        guard !new.isEmpty || before > after else { return }

        var text: [UInt8] = []
        var last = previous.map { $0 + 1 < items.count ? trails[$0] : innerTrail }
        for insertion in new {
            if let last {
                text += last
                text.append(UInt8(ascii: ","))
                text += lead(after: insertion.ordinal - 1)
            } else {
                text += firstLead
            }
            if let key = insertion.key {
                JSONSpelling.append(key, to: &text)
                text += colon(near: insertion.ordinal)
            }
            text += insertion.value
            last = innerTrail
        }
        if let next {
            if let last {
                text += last
                text.append(UInt8(ascii: ","))
                text += next > 0 ? leads[next] : lead(after: 0)
            } else {
                text += firstLead
            }
        } else if last != nil {
            text += lastTrail
        }
        let start = previous.map { items[$0].upperBound } ?? Int(container.start) + 1
        let end = next.map { items[$0].lowerBound } ?? Int(container.end) - 1
        splices.append(JSONEditPlan.Splice(range: start..<end, text: text))
    }

    // MARK: - The container's style

    private var firstLead: ArraySlice<UInt8> {
        leads.first ?? style.lead(inEmpty: container)
    }

    private var lastTrail: ArraySlice<UInt8> {
        trails.last ?? style.trail(inEmpty: container)
    }

    /// Before a comma: nothing, but for people who set the comma at the beginning of the next line.
    private var innerTrail: ArraySlice<UInt8> {
        items.count > 1 ? trails[0] : []
    }

    /// The white space after a comma, as the neighbour at an ordinal has it.
    private func lead(after ordinal: Int) -> ArraySlice<UInt8> {
        if items.count > 1 { return JSONLayoutStyle.oneLine(leads[min(max(ordinal, 1), items.count - 1)]) }
        let only = JSONLayoutStyle.oneLine(firstLead)
        return only.isEmpty && style.spacesAfterColon ? [UInt8(ascii: " ")] : only
    }

    private func colon(near ordinal: Int) -> ArraySlice<UInt8> {
        colons.isEmpty ? style.colon : colons[min(max(ordinal - 1, 0), colons.count - 1)]
    }
}
