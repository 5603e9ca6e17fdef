import HTTPTypes
import Hummingbird

/// What browsers ask before and after a web page's request to another origin (protocol §9).
///
/// Credentials stand in the query and in headers, never in cookies, so any page may be answered: what an API token admits
/// is checked with the token.
enum CrossOrigin {
    /// Lets a page read the answer and the token in it.
    static func describe(_ headers: inout HTTPFields) {
        headers[.accessControlAllowOrigin] = "*"
        headers[.accessControlExposeHeaders] = "X-Apple-Request-UUID,X-Apple-CloudKit-Web-Auth-Token"
    }

    /// The answer to OPTIONS, before which a browser sends no JSON.
    static var preflight: Response {
        var answer = Answer(status: 200, contentType: "text/plain; charset=UTF-8", body: [])
        describe(&answer.headers)
        answer.headers[.allow] = "GET, POST, PUT, DELETE"
        answer.headers[.accessControlAllowMethods] = "GET, POST, PUT, DELETE"
        answer.headers[.accessControlAllowHeaders] =
            "Content-Type, Accept, X-Apple-CloudKit-Request-KeyID, X-Apple-CloudKit-Request-ISO8601Date, "
            + "X-Apple-CloudKit-Request-SignatureV1"
        answer.headers[.accessControlMaxAge] = "600"
        return answer.response
    }
}
