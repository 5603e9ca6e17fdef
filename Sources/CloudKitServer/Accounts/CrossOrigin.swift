import HTTPTypes
import Hummingbird

/// What browsers ask before and after a web page's request to another origin (protocol §9).
///
/// Credentials stand in the query and in headers, never in cookies, so any page may be answered: what an API token admits
/// is checked with the token, and who has the URL of an asset or of a courier may use it. This server's own pages do have a
/// cookie, and are for no other page: see ``RequestTarget/isForPages``.
enum CrossOrigin {
    /// Lets a page read the answer, and of its headers those that clients read; a fault that says otherwise has its way.
    static func open(_ headers: inout HTTPFields) {
        if headers[.accessControlAllowOrigin] == nil { headers[.accessControlAllowOrigin] = "*" }
        if headers[.accessControlExposeHeaders] == nil { headers[.accessControlExposeHeaders] = exposed }
    }

    /// `Content-Length` and `Content-Type` pages can read anyway.
    private static let exposed =
        [HTTPField.Name.requestUUID, .webAuthToken, .webAuthTokenSucceeded, .retryAfter]
        .map(\.rawName).joined(separator: ",")

    /// The answer to OPTIONS, before which a browser sends neither JSON nor most files.
    static var preflight: Response {
        var answer = Answer(status: 200, contentType: "text/plain; charset=UTF-8", body: [])
        answer.headers[.allow] = "GET, POST, PUT, DELETE"
        answer.headers[.accessControlAllowMethods] = "GET, POST, PUT, DELETE"
        answer.headers[.accessControlAllowHeaders] =
            "Content-Type, Accept, X-Apple-CloudKit-Request-KeyID, X-Apple-CloudKit-Request-ISO8601Date, "
            + "X-Apple-CloudKit-Request-SignatureV1"
        answer.headers[.accessControlMaxAge] = "600"
        return answer.response
    }
}
