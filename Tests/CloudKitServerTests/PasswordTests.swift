import Testing

@testable import CloudKitServer

@Suite("Passwords and how often they are guessed")
struct PasswordTests {
    private static let quick = PasswordHash.Cost(rounds: 16, blockSize: 1, parallelism: 1)

    @Test("A hash knows its password, also after it was written and read, and no other one")
    func roundTrip() throws {
        let hash = try PasswordHash(of: "pass word é", salt: [1, 2, 3], cost: Self.quick)
        let read = try #require(PasswordHash(text: hash.text))
        #expect(try read.matches("pass word é") && read.matches("pass word e\u{301}"))
        #expect(try !read.matches("pass word e") && !read.matches(""))
        #expect(!hash.text.contains("pass"))
        #expect(try PasswordHash(of: "pass word é", salt: [1, 2, 4], cost: Self.quick).text != hash.text)
    }

    // RFC 7914, section 12, the second and third vectors, cut to 32 bytes.
    @Test("scrypt gives what its definition gives")
    func vectors() throws {
        let first = "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
        let hash = try #require(PasswordHash(text: "scrypt:1024:8:16:4e61436c:\(first)"))
        #expect(try hash.matches("password"))
        let second = "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
        let other = try #require(PasswordHash(text: "scrypt:16384:8:1:536f6469756d43686c6f72696465:\(second)"))
        #expect(try other.matches("pleaseletmein"))
    }

    @Test(
        "A damaged hash is none",
        arguments: [
            "", "scrypt", "scrypt:16:1:1:00:00", "md5:16:1:1:00:" + String(repeating: "0", count: 64),
            "scrypt:15:1:1:00:" + String(repeating: "0", count: 64),
            "scrypt:1048576000:8:1:00:" + String(repeating: "0", count: 64),
        ])
    func damaged(_ text: String) {
        #expect(PasswordHash(text: text) == nil)
    }

    @Test("The pause doubles with each failure up to its bound, per user and per address")
    func pauses() {
        var limit = SignInLimit()
        var now: Int64 = 0
        for _ in 0..<5 {
            let wait = limit.begin(user: 1, address: nil, now: now)
            #expect(wait == nil)
        }
        var pauses: [Int64] = []
        for _ in 0..<9 {
            let wait = limit.begin(user: 1, address: nil, now: now)
            pauses.append(wait ?? 0)
            now += wait ?? 0
            let again = limit.begin(user: 1, address: nil, now: now)
            #expect(again == nil)
        }
        #expect(pauses == [1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000])
        let other = limit.begin(user: 2, address: nil, now: now)
        #expect(other == nil)
        limit.succeeded(user: 1, address: nil)
        let after = limit.begin(user: 1, address: nil, now: now)
        #expect(after == nil)
    }

    @Test("One address that tries many users is slowed as well, and longer")
    func addresses() {
        var limit = SignInLimit()
        for user in 0..<5 {
            let wait = limit.begin(user: user, address: 9, now: 0)
            #expect(wait == nil)
        }
        let slowed = limit.begin(user: 77, address: 9, now: 0)
        #expect(slowed == 1000)
        let elsewhere = limit.begin(user: 77, address: 10, now: 0)
        #expect(elsewhere == nil)
    }

    @Test("What was long ago is forgotten")
    func memory() {
        var limit = SignInLimit()
        for _ in 0..<6 { _ = limit.begin(user: 1, address: 1, now: 0) }
        let soon = limit.begin(user: 1, address: 1, now: 0)
        #expect(soon != nil)
        let late = limit.begin(user: 1, address: 1, now: SignInLimit.memory)
        #expect(late == nil)
        let more = (0..<4).map { _ in limit.begin(user: 1, address: 1, now: SignInLimit.memory) }
        #expect(more.allSatisfy { $0 == nil })
    }

    @Test(
        "An address stands for its household, and this machine for nobody",
        arguments: [
            ("192.0.2.7", "c0000207"), ("2001:db8:1:2:3::9", "20010db800010002"), ("::ffff:192.0.2.7", "c0000207"),
            ("127.0.0.1", nil), ("::1", nil), ("::ffff:127.0.0.1", nil), ("nonsense", nil), ("", nil),
        ] as [(String, String?)])
    func networks(_ address: String, _ network: String?) {
        #expect(WebServicesResponder.network(of: address) == network)
    }

    @Test(
        "Origins have one spelling",
        arguments: [
            ("https://Example.org", "https://example.org"), ("https://example.org:443/x?y", "https://example.org"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("http://[::1]:80", "http://[::1]"), ("null", nil),
            ("https://user@example.org", nil), ("ftp://x", nil), ("https://x:0", nil), ("https://x y", nil),
            ("https://x\\y", nil),
        ] as [(String, String?)])
    func origins(_ text: String, _ origin: String?) {
        #expect(WebOrigin(text)?.text == origin)
    }
}
