import ArgumentParser
import Testing

@testable import SyncCommands

@Suite("What a sign-in ends with")
struct LoginAnswerTests {
    private static let token = "106__54__AAAA+BBB/CCC=="

    @Test(
        "A URL with either parameter, in any order, or the token itself",
        arguments: [
            "http://127.0.0.1:7437/?ckWebAuthToken=106__54__AAAA%2BBBB%2FCCC%3D%3D&ckSession=106__54__AAAA%2BBBB%2FCCC%3D%3D",
            "http://127.0.0.1:7437/?ckSession=106__54__AAAA%2BBBB%2FCCC%3D%3D",
            "https://x.example/y?a=b&ckWebAuthToken=106__54__AAAA%2bBBB%2fCCC%3d%3d#top",
            "http://127.0.0.1:7437/?ckSession=106__54__AAAA+BBB/CCC==", "/?ckSession=106__54__AAAA%2BBBB/CCC==",
            "ckSession=106__54__AAAA%2BBBB/CCC==", "106__54__AAAA+BBB/CCC==", "  106__54__AAAA+BBB/CCC== \t",
        ])
    func tokens(_ text: String) {
        #expect(LoginAnswer.token(in: text) == Self.token)
    }

    @Test(
        "What holds no token",
        arguments: [
            "", " ", "yes", "http://127.0.0.1:7437/", "http://127.0.0.1:7437/?error=accessError",
            "http://127.0.0.1:7437/?ckSession=", "/?ckSession", "two words that are long enough",
            "/a/path/that/is/long/enough",
        ])
    func nothing(_ text: String) {
        #expect(LoginAnswer.token(in: text) == nil)
    }

    @Test(
        "Only a page that a person looks at brings a token",
        arguments: [
            ("GET /?ckSession=106__54__AAAA HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", true),
            ("GET /done?ckSession=106__54__AAAA HTTP/1.1\r\nSec-Fetch-Dest: document\r\n\r\n", true),
            ("GET /?ckSession=106__54__AAAA HTTP/1.1\r\nSec-Fetch-Dest: image\r\n\r\n", false),
            ("POST /?ckSession=106__54__AAAA HTTP/1.1\r\n\r\n", false), ("GET /favicon.ico HTTP/1.1\r\n\r\n", false),
            ("GET /?ckSession=106__54__AAAA\r\n\r\n", false), ("", false),
        ])
    func requests(_ request: String, _ hasToken: Bool) {
        #expect(LoginRequest.token(in: Array(request.utf8)) == (hasToken ? "106__54__AAAA" : nil))
    }

    @Test("A request is whole once its head is")
    func whole() {
        #expect(!LoginRequest.isWhole(Array("GET / HTTP/1.1\r\nHost: x\r\n".utf8)))
        #expect(LoginRequest.isWhole(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8)))
    }

    @Test("A secret is never an option's value: only files and standard input hold it")
    func options() {
        for command in [
            LoginCommand.helpMessage(), InitCommand.helpMessage(), ServeUserAddCommand.helpMessage(),
            ServeUserPasswordCommand.helpMessage(), ServeKeyAddCommand.helpMessage(),
        ] {
            #expect(!command.contains("--password <") && !command.contains("--web-auth-token <"))
            #expect(!command.contains("--private-key"))
        }
    }
}
