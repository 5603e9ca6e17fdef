import SeededRandomness
import Testing

@testable import RecordSending

/// Things that need each other, and the order that follows.
struct OrderRow: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var needs: [[Int]]
    var order: [Int]
    var tooEarly: [Int: Set<Int>]

    init(_ name: String, _ needs: [[Int]], _ order: [Int], tooEarly: [Int: Set<Int>] = [:]) {
        testDescription = name
        self.needs = needs
        self.order = order
        self.tooEarly = tooEarly
    }
}

@Suite("The order of what refers to each other (S4.19)")
struct ReferenceOrderTests {
    @Test(
        "Each comes after what it needs, and else where it was given",
        arguments: [
            OrderRow("nothing", [], []),
            OrderRow("no needs", [[], [], []], [0, 1, 2]),
            OrderRow("a chain", [[], [0], [1]], [0, 1, 2]),
            OrderRow("a chain backwards", [[1], [2], []], [2, 1, 0]),
            OrderRow("families stay together", [[2], [3], [], []], [2, 0, 3, 1]),
            OrderRow("one needs two", [[2, 1], [], []], [2, 1, 0]),
            OrderRow("two need one, said twice", [[2, 2], [2], []], [2, 0, 1]),
            OrderRow("itself", [[0], []], [0, 1], tooEarly: [0: [0]]),
            OrderRow("a circle", [[1], [2], [0]], [2, 1, 0], tooEarly: [2: [0]]),
            OrderRow("a circle that one needs", [[1], [2], [1]], [2, 1, 0], tooEarly: [2: [1]]),
            OrderRow("two circles through one", [[1, 2], [0], [0]], [1, 2, 0], tooEarly: [1: [0], 2: [0]]),
        ])
    func table(_ row: OrderRow) {
        let order = ReferenceOrder(needs: row.needs)
        #expect(order.order == row.order)
        #expect(order.tooEarly == row.tooEarly)
    }

    @Test(
        "Whatever needs what, each comes once, and before what it needs only where both are in a circle",
        arguments: 0..<200)
    func laws(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...40, using: &random)
        let isFree = seed.isMultiple(of: 2)
        let needs = (0..<count).map { thing in
            (0..<Int.random(in: 0...3, using: &random)).compactMap { _ -> Int? in
                // Where all need later ones only there is no circle.
                let other = Int.random(in: (isFree ? thing + 1 : 0)..<(count + 1), using: &random)
                return other < count ? other : nil
            }
        }
        let order = ReferenceOrder(needs: needs)
        #expect(order.order.sorted() == Array(0..<count))
        var places = [Int](repeating: 0, count: count)
        for (place, thing) in order.order.enumerated() { places[thing] = place }
        for (thing, needed) in needs.enumerated() {
            for other in needed where places[other] >= places[thing] {
                #expect(order.tooEarly[thing]?.contains(other) == true)
                #expect(Self.reaches(thing, from: other, needs))
            }
        }
        if isFree { #expect(order.tooEarly.isEmpty) }
        for (thing, others) in order.tooEarly { #expect(others.allSatisfy { places[$0] >= places[thing] }) }
        for (number, piece) in order.pieces(of: 7, needs: needs).enumerated() {
            let awaited = piece.things.flatMap { needs[$0] }.map { places[$0] / 7 }.filter { $0 < number }
            #expect(piece.after == awaited.max())
        }
    }

    @Test("A long chain needs no more time for each than a short one, and no deep stack")
    func long() {
        let count = 300_000
        let order = ReferenceOrder(needs: (0..<count).map { $0 + 1 < count ? [$0 + 1] : [] })
        #expect(order.order.first == count - 1 && order.tooEarly.isEmpty)
        let pieces = order.pieces(of: 200, needs: (0..<count).map { $0 + 1 < count ? [$0 + 1] : [] })
        #expect(pieces.count == count / 200)
        #expect(pieces.dropFirst().enumerated().allSatisfy { $0.element.after == $0.offset })
    }

    private static func reaches(_ target: Int, from start: Int, _ needs: [[Int]]) -> Bool {
        var seen: Set<Int> = []
        var open = [start]
        while let thing = open.popLast() {
            if thing == target { return true }
            if seen.insert(thing).inserted { open += needs[thing] }
        }
        return false
    }
}
