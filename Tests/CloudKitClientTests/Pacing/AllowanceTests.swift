import CloudKitClient
import RequestPacing
import Testing

@Suite("How much may be done in a time")
struct AllowanceTests {
    @Test(
        "A second's worth goes at once, then each waits until the bucket is even, and rest fills it to a second's worth"
    )
    func table() {
        var bucket = Allowance(rate: 1000)
        for (now, amount, wait) in [
            (0, 600, 0), (0, 400, 0), (0, 1, 1), (0, 999, 1000), (500, 0, 500), (1000, 1000, 1000), (3000, 1500, 500),
            (60_000, 1000, 0), (60_000, 1000, 1000), (59_000, 500, 1500),
        ] {
            #expect(
                bucket.take(amount, at: .milliseconds(now)) == .milliseconds(wait), "\(amount) at \(now) ms")
        }
    }

    @Test("Over a long time the rate holds, whatever the pieces are", arguments: [1, 7, 999, 40_000])
    func rate(piece: Int) {
        var bucket = Allowance(rate: 1000)
        var now = Duration.zero
        var done = 0
        while done < 200_000 {
            now += bucket.take(piece, at: now)
            done += piece
        }
        let expected = Duration.seconds(Double(done) / 1000 - 1)
        #expect(abs((now - expected) / .seconds(1)) < 0.01, "\(now) for \(done)")
    }

    @Test("What is no amount takes nothing, and no rate is one a second")
    func odd() {
        var bucket = Allowance(rate: 0)
        #expect(bucket.take(-5, at: .zero) == .zero)
        #expect(bucket.take(2, at: .zero) == .seconds(1))
    }
}
