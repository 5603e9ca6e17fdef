import FolderSettings
import StateStorage
import Testing

@Suite("The URL of a server")
struct ServerURLTests {
    @Test(
        "Without TLS only this machine itself may be spoken to, as told by its name or address alone",
        arguments: [
            ("http://localhost", false), ("http://LocalHost:8080", false), ("http://127.0.0.1:8080", false),
            ("http://127.8.9.10", false), ("http://[::1]:8080", false), ("https://example.org", false),
            ("https://192.0.2.1:8443", false), ("http://example.org", true), ("http://127.0.0.1.example.org", true),
            ("http://localhost.example.org", true), ("http://192.0.2.1", true), ("http://[2001:db8::1]:80", true),
            ("http://0.0.0.0:8080", true), ("http://127.1", true), ("http://128.0.0.1", true), ("http://[::]", true),
            ("http://127.0.0.1?x", true), ("http://127.0.0.1#x", true), ("http://1270.0.0.1", true),
        ])
    func exposed(text: String, isExposed: Bool) throws {
        #expect(try #require(ServerURL(text)).isExposed == isExposed)
    }

    @Test(
        "A path, a user, another scheme or no host is no server",
        arguments: [
            "", "example.org", "ftp://example.org", "https://", "http://:80", "https://example.org/", "http://a@b",
            "http://[::1", "http://[]", "http://a b", "http://127.0.0.1:99999", "http://a:", "http://a:b",
            "http://a:-1",
            "http://a:+1", "http://[::1]8080", "http://gr\u{F6}\u{DF}e.example",
        ])
    func none(text: String) {
        #expect(ServerURL(text) == nil)
    }
}
