package import FolderKnowledge
package import RecordMapping
package import RecordTrees
package import SyncModel

/// What is to be sent, in an order in which the zone can take it.
package struct SendOrder: Sendable {
    /// Actions that go together.
    package struct Group: Sendable {
        /// Their places among ``SendOrder/actions``.
        let places: ArraySlice<Int>
        /// The number of the last group before it that has to be answered first; `nil` where none has to be.
        package let after: Int?
    }

    /// Operations prepared at a time: what one request can carry.
    private static let groupSize = 200

    /// All that are to be sent.
    package let actions: [Action]
    package private(set) var groups: [Group] = []
    /// By the file, the records that the zone has to have before the file's own.
    package private(set) var required: [FolderPath: [RequiredRecord]] = [:]
    /// By the file, the keys whose values go with a second save: in the first one they would close a circle of records that
    /// need each other.
    package private(set) var leftOut: [FolderPath: Set<String>] = [:]
    /// By the file whose record is to give way to one of another kind, the records for whose sake it cannot.
    package private(set) var keepers: [FolderPath: Set<RecordName>] = [:]
    /// Of records that are to be deleted and keep each other in a circle: the one that lets go first, by a save of its own,
    /// and those that it lets go of.
    package private(set) var lettingGo: [RecordName: Set<RecordName>] = [:]
    /// What the records of new files will be called.
    package let names: NameBook

    /// New files and changed ones, each after what it refers to.
    package init(
        saving actions: [Action], required: [FolderPath: [RequiredRecord]], names: NameBook, referrers: Referrers,
        in trees: SyncTrees
    ) {
        self.actions = actions
        self.names = names
        self.required = required
        keepers = referrers.keepers
        let numbers = Dictionary(actions.enumerated().map { ($1.path, $0) }) { first, _ in first }
        for (path, files) in referrers.files where keepers[path] == nil {
            for file in files.keys { leaveOut(file) { $0.path == path } }
        }
        var makers: [RecordName: Int] = [:]
        if !required.isEmpty {
            for (number, action) in actions.enumerated() where action.kind == .createRecord {
                makers[action.record ?? names.name(of: action.path, in: trees)] = number
            }
        }
        var needs = actions.map { action in (self.required[action.path] ?? []).compactMap { makers[$0.name] } }
        for (path, files) in referrers.files {
            guard let number = numbers[path] else { continue }
            for referrer in files.keys.sorted().compactMap({ numbers[$0] }) {
                // What need not let go first only has to know the new record.
                if leftOut[actions[referrer].path] == nil {
                    needs[referrer].append(number)
                } else {
                    needs[number].append(referrer)
                }
            }
        }
        let order = ReferenceOrder(needs: needs)
        groups = Self.groups(order, needs)
        for (number, targets) in order.tooEarly {
            leaveOut(actions[number].path) { makers[$0.name].map(targets.contains) ?? false }
        }
    }

    private mutating func leaveOut(_ path: FolderPath, where isLeftOut: (RequiredRecord) -> Bool) {
        let keys = Set((required[path] ?? []).filter(isLeftOut).map(\.key))
        guard !keys.isEmpty else { return }
        leftOut[path, default: []].formUnion(keys)
        required[path]!.removeAll { keys.contains($0.key) }
    }

    /// Deletions, each after those of the records that keep its own.
    /// - Parameter kept: By record, those that cannot be deleted as long as it is there.
    package init(deleting actions: [Action], kept: [RecordName: Set<RecordName>]) {
        self.actions = actions
        var numbers: [RecordName: Int] = [:]
        if !kept.isEmpty {
            for (number, action) in actions.enumerated() { if let name = action.record { numbers[name] = number } }
        }
        var needs = [[Int]](repeating: [], count: actions.count)
        for (number, action) in actions.enumerated() {
            for target in action.record.flatMap({ kept[$0] }) ?? [] {
                if let target = numbers[target], target != number { needs[target].append(number) }
            }
        }
        for number in Set(ReferenceOrder(needs: needs).tooEarly.values.joined()) {
            guard let name = actions[number].record else { continue }
            lettingGo[name] = kept[name]?.intersection(numbers.keys)
            // A save can go at any time.
            needs[number] = []
        }
        groups = Self.groups(ReferenceOrder(needs: needs), needs)
        names = NameBook()
    }

    private static func groups(_ order: ReferenceOrder, _ needs: [[Int]]) -> [Group] {
        order.pieces(of: groupSize, needs: needs).map { Group(places: $0.things, after: $0.after) }
    }

    /// The actions of a group, in the order in which they go.
    package func actions(of group: Group) -> [Action] { group.places.map { actions[$0] } }
}
