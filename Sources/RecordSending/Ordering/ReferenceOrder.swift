/// The order in which things are sent of which some need others: each comes after those that it needs (S4.19).
///
/// What needs nothing stays where it was given; what is needed comes forward to just before the first that needs it, so what
/// belongs together travels together. Where some need each other in a circle, one of them comes first all the same, and
/// ``tooEarly`` says which of its needs cannot be met by then.
///
/// A depth-first walk, so its time is that of reading the things and their needs once.
package struct ReferenceOrder: Hashable, Sendable {
    /// The numbers of all things, in the order in which they are to be sent.
    package private(set) var order: [Int] = []
    /// By thing, those that it needs and that come after it, since they need it too; itself, where it needs itself.
    package private(set) var tooEarly: [Int: Set<Int>] = [:]

    /// - Parameter needs: By thing, from 0, the numbers of those that it needs; they may repeat.
    package init(needs: [[Int]]) {
        /// Not looked at; its needs are being met; in the order.
        enum State { case new, open, placed }
        var states = [State](repeating: .new, count: needs.count)
        var path: [(thing: Int, next: Int)] = []
        order.reserveCapacity(needs.count)
        for first in needs.indices where states[first] == .new {
            states[first] = .open
            path.append((first, 0))
            while let (thing, next) = path.last {
                guard next < needs[thing].count else {
                    states[thing] = .placed
                    order.append(thing)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let needed = needs[thing][next]
                switch states[needed] {
                case .new:
                    states[needed] = .open
                    path.append((needed, 0))
                case .open: tooEarly[thing, default: []].insert(needed)
                case .placed: break
                }
            }
        }
    }

    /// Cuts the order into pieces of a size, each with the number of the last piece before it that holds something which one
    /// of its own needs: that has to be in the zone before this piece is sent.
    package func pieces(of size: Int, needs: [[Int]]) -> [(things: ArraySlice<Int>, after: Int?)] {
        precondition(size > 0, "A piece has room for a thing")
        var places = [Int](repeating: 0, count: order.count)
        for (place, thing) in order.enumerated() { places[thing] = place }
        return stride(from: 0, to: order.count, by: size).map { start in
            let things = order[start..<min(start + size, order.count)]
            let last = things.lazy.flatMap { needs[$0] }.map { places[$0] }.filter { $0 < start }.max()
            return (things, last.map { $0 / size })
        }
    }
}
