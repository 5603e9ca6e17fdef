import CloudKitWire

/// The operations of a request that are still to be carried out, by the records that they are about.
///
/// Whether a reference, a parent or a deletion is sound is asked of what the request as a whole leaves behind. So an
/// operation that needs the outcome of another one is put off until that one is carried out (``Wait``). Where operations
/// need each other, one goes ahead, and what it takes for granted is checked at the end (``Promise``).
struct PendingOperations {
    /// What is still to come for a record.
    enum Outlook: Equatable {
        case nothing
        case later(Int)
        /// The operation waits itself, for the one that asks.
        case underWay
    }

    /// An operation needs others, by their places in the request, to be carried out first. It has changed nothing yet.
    struct Wait: Error {
        var operations: Set<Int>
    }

    /// What an operation was carried out for the sake of, ahead of time.
    enum Promise: Hashable {
        /// A reference's target is there; where the reference is new, with leave to write it.
        case target(ReferenceLink, isNew: Bool)
        /// A parent is there, and fit to be one.
        case parent(String, of: String)
        /// No record that is left refers to one that was deleted.
        case unreferenced(String, zone: Int64)
    }

    private struct Operation {
        var index: Int
        var saves: Bool
        var isUnderWay = false
    }

    private var operations: [String: Operation] = [:]
    /// Whether a circle is taken on trust; else it counts as it stands.
    private let trusts: Bool

    /// Nothing is to come.
    init() { trusts = false }

    init(_ all: [RecordOperation], except refused: Set<Int>, trusts: Bool) {
        self.trusts = trusts
        for (index, operation) in all.enumerated() where !refused.contains(index) {
            guard let name = operation.record.recordName else { continue }
            operations[name] = Operation(index: index, saves: !operation.kind.deletes)
        }
    }

    /// Whether a record that is not there is still to be saved.
    func saving(_ name: String) -> Outlook {
        operations[name].map { $0.saves ? outlook($0) : .nothing } ?? .nothing
    }

    /// Whether anything is still to be done with a record.
    func changing(_ name: String) -> Outlook {
        operations[name].map(outlook) ?? .nothing
    }

    private func outlook(_ operation: Operation) -> Outlook {
        guard operation.isUnderWay else { return .later(operation.index) }
        return trusts ? .underWay : .nothing
    }

    mutating func begin(_ operation: RecordOperation) {
        if let name = operation.record.recordName { operations[name]?.isUnderWay = true }
    }

    mutating func end(_ operation: RecordOperation) {
        if let name = operation.record.recordName { operations[name] = nil }
    }
}
