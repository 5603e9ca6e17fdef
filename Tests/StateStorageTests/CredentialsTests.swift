import SystemPackage
import Testing

@testable import FolderSettings
@testable import StateStorage

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Credentials")
struct CredentialsTests {
    @Test("The newest web auth token is in the file when the call returns")
    func rotation() throws {
        let folder = try TemporaryFolder()
        try CredentialsFile.create(Credentials(apiToken: "api", webAuthToken: nil), in: folder.state)
        let file = try CredentialsFile(of: folder.state)
        for token in ["82__54__AbC+/=", "82__54__xyz= =", "third"] {
            try file.store(webAuthToken: token)
            #expect(
                try CredentialsFile(of: folder.state).credentials == Credentials(apiToken: "api", webAuthToken: token))
        }
        try file.signOut()
        #expect(try CredentialsFile(of: folder.state).credentials.webAuthToken == nil)
    }

    @Test("An empty token never replaces a good one")
    func emptyToken() throws {
        let folder = try TemporaryFolder()
        try CredentialsFile.create(Credentials(apiToken: "api", webAuthToken: "good"), in: folder.state)
        let file = try CredentialsFile(of: folder.state)
        try file.store(webAuthToken: "")
        #expect(file.credentials.webAuthToken == "good")
        #expect(try CredentialsFile(of: folder.state).credentials.webAuthToken == "good")
    }

    @Test("Nobody else can read the file, and opening takes back what others were given")
    func permissions() throws {
        let folder = try TemporaryFolder()
        try CredentialsFile.create(Credentials(apiToken: "api"), in: folder.state)
        #expect(try folder.mode(of: folder.state.credentialsFile) == 0o600)
        chmod(folder.state.credentialsFile.string, 0o644)
        let file = try CredentialsFile(of: folder.state)
        #expect(try folder.mode(of: folder.state.credentialsFile) == 0o600)
        try file.store(webAuthToken: "t")
        #expect(try folder.mode(of: folder.state.credentialsFile) == 0o600)
    }

    @Test("A token that is already held is not written again")
    func quiet() throws {
        let folder = try TemporaryFolder()
        try CredentialsFile.create(Credentials(apiToken: "api", webAuthToken: "t"), in: folder.state)
        let file = try CredentialsFile(of: folder.state)
        unlink(folder.state.credentialsFile.string)
        try file.store(webAuthToken: "t")
        #expect(try FileStatus(of: folder.state.credentialsFile) == nil)
    }

    @Test("What another process wrote is taken over on request")
    func reload() throws {
        let folder = try TemporaryFolder()
        try CredentialsFile.create(Credentials(apiToken: "api"), in: folder.state)
        let file = try CredentialsFile(of: folder.state)
        try CredentialsFile.create(Credentials(apiToken: "api", webAuthToken: "new"), in: folder.state)
        try file.reload()
        #expect(file.credentials.webAuthToken == "new")
    }

    @Test("Secrets do not show when printed, nor in errors")
    func redaction() throws {
        let secret = Credentials(apiToken: "SECRET", webAuthToken: "SECRET")
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!"\(secret) \(String(reflecting: secret)) \(dumped)".contains("SECRET"))
        let folder = try TemporaryFolder()
        try DurableFile.write(Array("web_auth_token = SECRET".utf8), to: folder.state.credentialsFile)
        let error = #expect(throws: StateError.self) { try CredentialsFile(of: folder.state) }
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains("SECRET") == false)
    }
}
