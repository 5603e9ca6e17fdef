/// How much was done, in outcomes of actions: to tell progress from standing still, and when memory is worth giving back.
package final class OutcomeCount {
    /// Since the start.
    package private(set) var total = 0
    /// What it was when memory was given back last; `nil`: it never was.
    private var released: Int?

    /// Less than this needs no memory that is worth a call.
    private static let much = 10_000

    func note(_ count: Int) { total += count }

    /// Whether much was done since this last said so.
    /// - Parameter rows: How many were read at the start, which counts as well.
    package func takeMuch(startedWith rows: Int) -> Bool {
        let done = released.map { total - $0 } ?? total + rows
        guard done >= Self.much else { return false }
        released = total
        return true
    }
}
