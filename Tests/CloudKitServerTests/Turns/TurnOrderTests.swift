import Testing

@testable import CloudKitServer

@Suite("Whose call is next")
struct TurnOrderTests {
    /// Three places, two of them for one owner, of whose calls two may wait.
    private static let limits = TurnLimits(places: 3, share: 2, waiting: 2)

    @Test(
        "Nobody has more than the share, and who waits gets one place after the other with those who wait",
        arguments: [
            // `+a`: a call of a's comes; `-a`: one of a's ends; `?a2`: a's second does not wait any longer. Then what begins,
            // in order, and with a `!` what is refused.
            ("+a", "a1"),
            ("+a +a +a +a", "a1 a2"),
            ("+a +a +a +a +a", "a1 a2 !a5"),
            // The third place is for another one, and one only.
            ("+a +a +a +b +c", "a1 a2 b1"),
            ("+a +a +a -a", "a1 a2 a3"),
            // A place that is nobody's share stays free.
            ("+a +a +a +b -b", "a1 a2 b1"),
            ("+a +b +c +d -a", "a1 b1 c1 d1"),
            // Who came later has a turn before the second call of who came first.
            ("+a +b +c +a +a +d -b -c", "a1 b1 c1 a2 d1"),
            ("+a +b +c +d +d +e +e -a -b -c -d -e", "a1 b1 c1 d1 e1 d2 e2"),
            // Who has the share is passed over, and keeps its turn.
            ("+a +a +b +a +b -b", "a1 a2 b1 b2"),
            ("+a +a +b +a +b -b -a", "a1 a2 b1 b2 a3"),
            // Two places at once are free for one who waits for both.
            ("+a +b +c +d +d -a -b", "a1 b1 c1 d1 d2"),
            // Who left has no turn, and takes nobody's.
            ("+a +a +a +b +b ?a3 -a", "a1 a2 b1 b2"),
            ("+a +b +c +d +e ?d1 -a", "a1 b1 c1 e1"),
            ("+a +a +a +a ?a3 -a", "a1 a2 a4"),
            ("+a +a +a +a ?a3 +a -a -a", "a1 a2 a4 a5"),
            ("+a -a +a -a +a +a +a", "a1 a2 a3 a4"),
        ])
    func turns(script: String, expected: String) throws {
        var order = TurnOrder<Character>(Self.limits)
        var said: [String] = []
        var names: [String] = []
        for word in script.split(separator: " ") {
            let owner = try #require(word.dropFirst().first)
            switch word.first {
            case "+":
                let name = "\(owner)\(names.count { $0.first == owner } + 1)"
                names.append(name)
                if order.begin(owner) {
                    said.append(name)
                } else if !order.wait(names.count - 1, of: owner) {
                    said.append("!\(name)")
                }
            case "-": said += order.end(of: owner).map { names[$0] }
            default: order.withdraw(try #require(names.firstIndex(of: String(word.dropFirst()))), of: owner)
            }
        }
        #expect(said.joined(separator: " ") == expected)
    }
}
