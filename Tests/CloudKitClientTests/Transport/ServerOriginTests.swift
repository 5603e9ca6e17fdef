import CloudKitClient
import Testing

@Suite("The host and port of a URL")
struct ServerOriginTests {
    @Test(
        "Where requests to a URL go",
        arguments: [
            ("https://api.apple-cloudkit.com", "api.apple-cloudkit.com:443"),
            ("http://127.0.0.1:8080/x?a=:1", "127.0.0.1:8080"),
            ("http://[::1]:81/aps", "[::1]:81"), ("http://[fe80::1]", "[fe80::1]:80"), ("HTTP://x", nil),
            ("https://webcourier.push.apple.com:443/aps?tok=a%3D&ttl=1", "webcourier.push.apple.com:443"),
            ("http://Server#x", "server:80"), ("http://ada:secret@server:5/", "server:5"), ("http://", nil),
            ("http://:80", nil),
            ("http://a:0", nil), ("http://a:65536", nil), ("http://a:b", nil), ("http://[::1", nil), ("server:80", nil),
            ("", nil),
        ] as [(String, String?)])
    func origin(url: String, place: String?) {
        #expect(ServerOrigin(of: url)?.description == place)
    }
}
