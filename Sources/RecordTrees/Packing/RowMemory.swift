/// Where the rows of trees are kept.
///
/// Most are in the memory of the process. Of a very large folder that would be much for what is seldom asked for, so whoever
/// makes the trees may keep them where the system can take the memory back. An object, for trees are copied often, and each of their
/// tables has it.
public protocol RowMemory: AnyObject, Sendable {
    /// A place for so many bytes.
    func region(of count: Int) -> RowRegion
    /// Called now and then while many rows are read: what is too much in memory may be put away now.
    func limit()
    /// Called when much was done, and little is to be done soon.
    func putAway()
}

/// A place for bytes that is one owner's.
public struct RowRegion: Sendable {
    /// The bytes, with anything in them.
    nonisolated(unsafe) public let bytes: UnsafeMutableRawBufferPointer
    /// Called when nobody needs them any more.
    public let free: @Sendable () -> Void

    /// - Parameters:
    ///   - bytes: They stay where they are until they are free.
    ///   - free: Called once, when nobody needs them any more.
    public init(_ bytes: UnsafeMutableRawBufferPointer, free: @escaping @Sendable () -> Void) {
        (self.bytes, self.free) = (bytes, free)
    }
}

/// The memory of the process.
public final class ProcessMemory: RowMemory {
    public init() {}

    public func region(of count: Int) -> RowRegion {
        nonisolated(unsafe) let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        return RowRegion(bytes) { bytes.deallocate() }
    }

    public func limit() {}

    public func putAway() {}
}
