import CloudKitWire
import HTTPTypes
import Hummingbird
import NIOCore
import WireCoding

/// An answer in the protocol's JSON, or the plain one of a content host.
struct Answer {
    var status: Int
    var contentType = "application/json; charset=UTF-8"
    var body: [UInt8]
    var headers: HTTPFields = [:]

    static func json(_ value: some WireValue, numbersAsStrings: Bool? = nil) -> Self {
        Self(status: 200, body: value.encoded(numbersAsStrings: numbersAsStrings ?? false))
    }

    /// A request's error, with the HTTP status that belongs to its code.
    static func error(_ error: ErrorDictionary, uuid: String, status: Int? = nil) -> Self {
        var error = error
        error.uuid = uuid
        var answer = Self(status: status ?? error.serverErrorCode.httpStatus, body: error.encoded())
        answer.headers[.requestUUID] = uuid
        if let retryAfter = error.retryAfter { answer.headers[.retryAfter] = String(Int(retryAfter.rounded(.up))) }
        return answer
    }

    static func plain(_ status: Int, _ text: String) -> Self {
        Self(status: status, contentType: "text/plain; charset=UTF-8", body: Array(text.utf8))
    }

    /// The answer with further headers.
    func with(_ headers: HTTPFields) -> Self {
        var answer = self
        for field in headers { answer.headers[field.name] = field.value }
        return answer
    }

    var response: Response {
        var headers = headers
        headers[.contentType] = contentType
        return Response(
            status: .init(code: status), headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}

extension ServerErrorCode {
    /// Protocol §5.
    var httpStatus: Int {
        switch self {
        case .accessDenied: 403
        case .authenticationFailed: 401
        case .authenticationRequired: 421
        case .conflict, .exists, .uniqueFieldError: 409
        case .internalError: 500
        case .notFound, .zoneNotFound: 404
        case .quotaExceeded: 413
        case .throttled: 429
        case .tryAgainLater, .zoneBusy: 503
        case .validatingReferenceError: 412
        default: 400
        }
    }
}

extension HTTPField.Name {
    static let webAuthToken = Self("X-Apple-CloudKit-Web-Auth-Token")!
    /// This server's own: a successor of the request's web auth token is in use, so two have the sign-in.
    static let webAuthTokenSucceeded = Self("X-Zonefolder-Web-Auth-Token-Succeeded")!
    static let requestUUID = Self("X-Apple-Request-UUID")!
}
