import Testing

@testable import CloudKitClient

@Suite("URLs (protocol §1)")
struct DatabaseAddressTests {
    @Test(
        "Paths",
        arguments: [
            (.recordsModify, "/database/1/iCloud.a%20b/production/shared/records/modify"),
            (.zoneChanges, "/database/1/iCloud.a%20b/production/shared/changes/zone"),
            // Only the public database knows about users; tokens have no database at all.
            (.usersCaller, "/database/1/iCloud.a%20b/production/public/users/caller"),
            (.tokensCreate, "/device/1/iCloud.a%20b/production/tokens/create"),
            (.tokensRegister, "/device/1/iCloud.a%20b/production/tokens/register"),
        ] as [(CloudKitOperation, String)])
    func paths(operation: CloudKitOperation, path: String) {
        let address = DatabaseAddress(container: "iCloud.a b", environment: .production, scope: .shared)
        #expect(
            address.url(of: operation, apiToken: "ab", webAuthToken: nil)
                == "https://api.apple-cloudkit.com\(path)?ckAPIToken=ab")
    }

    @Test("Slashes at the end of a base URL don't double")
    func slashes() {
        let address = DatabaseAddress(
            container: "c", environment: .development, scope: .private, baseURL: "http://localhost:8080//")
        #expect(address.baseURL == "http://localhost:8080")
    }

    @Test("Only unreserved characters stay as they are")
    func percentEncoding() {
        #expect(PercentEncoding.encode("aZ09-._~") == "aZ09-._~")
        #expect(PercentEncoding.encode("+/= %&?\u{E9}") == "%2B%2F%3D%20%25%26%3F%C3%A9")
    }

    @Test("The literal ${f} of a download URL becomes the file's name (protocol §3.10)")
    func fileName() {
        #expect(AssetURL.filling("http://h/B/x/${f}?e=1", fileName: "a b.png") == "http://h/B/x/a%20b.png?e=1")
        #expect(AssetURL.filling("http://h/plain", fileName: "a") == "http://h/plain")
        #expect(AssetURL.filling("http://h/${f}", fileName: "") == "http://h/file")
    }
}
