public import CloudKitWire

/// Cuts a list of operations into requests that the server takes.
///
/// The order is kept, so a target that comes before its referrers stays before them. One operation larger than the
/// byte limit gets a request of its own; whether the server takes it is the record limit's matter.
public struct ModifyBatcher: Hashable, Sendable {
    /// Operations in one request; the service takes 200.
    public var maximumCount: Int
    /// Bytes in one request; the service's limit is unknown, natively 2 MB (protocol §6).
    public var maximumBytes: Int

    /// A batcher within the service's limits.
    public init(maximumCount: Int = 200, maximumBytes: Int = 1_800_000) {
        precondition(maximumCount > 0 && maximumBytes > 0, "A request has room for an operation")
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
    }

    /// The operations of each request, as ranges into the list.
    ///
    /// A record occurs at most once in a request (protocol §3.1): its second operation starts the next one.
    public func batches(of operations: [RecordOperation]) -> [Range<Int>] {
        var batches: [Range<Int>] = []
        var start = 0
        var bytes = 0
        var names: Set<[UInt8]> = []
        for (index, operation) in operations.enumerated() {
            let size = WireSize.encodedBytes(of: operation)
            let name = operation.record.recordName.map { Array($0.utf8) }
            let isFull = index - start == maximumCount || bytes + size > maximumBytes
            if index > start, isFull || name.map(names.contains) == true {
                batches.append(start..<index)
                start = index
                bytes = 0
                names.removeAll(keepingCapacity: true)
            }
            bytes += size
            if let name { names.insert(name) }
        }
        if start < operations.count { batches.append(start..<operations.count) }
        return batches
    }

    /// The two halves of a request that was refused for its size, in order; a single operation stays one.
    public static func halves(of batch: Range<Int>) -> [Range<Int>] {
        guard batch.count > 1 else { return batch.isEmpty ? [] : [batch] }
        let middle = batch.lowerBound + batch.count / 2
        return [batch.lowerBound..<middle, middle..<batch.upperBound]
    }
}
