public import LosslessJSON
public import WireCoding

extension AssetToken: WireValue {
    /// Takes one token of `assets/upload`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            recordType: try json.string("recordType"), recordName: try json.string("recordName"),
            fieldName: try json.requiredString("fieldName"), url: try json.string("url"))
    }

    /// Writes the keys that are known.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("recordType", recordType)
        json.member("recordName", recordName)
        json.member("fieldName", fieldName)
        json.member("url", url)
        json.endObject()
    }
}

extension AssetsUploadRequest: WireValue {
    /// Takes the body of `assets/upload`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(zoneID: try json.value("zoneID"), tokens: try json.values("tokens"))
    }

    /// Writes the body of `assets/upload`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("zoneID", zoneID)
        json.member("tokens", list: tokens)
        json.endObject()
    }
}

extension AssetsUploadResponse: WireValue {
    /// Takes the answer of `assets/upload`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(tokens: try json.values("tokens"))
    }

    /// Writes the answer of `assets/upload`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("tokens", list: tokens)
        json.endObject()
    }
}

extension SingleFileResponse: WireValue {
    /// Takes the content host's answer.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(singleFile: try json.requiredValue("singleFile"))
    }

    /// Writes the content host's answer.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("singleFile", singleFile)
        json.endObject()
    }
}

extension AssetsRereferenceRequest.Source: WireValue {
    /// Takes `{recordName, fieldName}`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            recordName: try json.requiredString("recordName"), fieldName: try json.requiredString("fieldName"))
    }

    /// Writes the field's place.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("recordName", recordName)
        json.member("fieldName", fieldName)
        json.endObject()
    }
}

extension AssetsRereferenceRequest: WireValue {
    /// Takes the body of `assets/rereference`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(zoneID: try json.value("zoneID"), assets: try json.values("assets"))
    }

    /// Writes the body of `assets/rereference`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("zoneID", zoneID)
        json.member("assets", list: assets)
        json.endObject()
    }
}

extension AssetsRereferenceResponse: WireValue {
    /// Takes the answer of `assets/rereference`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(assets: try json.values("assets"))
    }

    /// Writes the answer of `assets/rereference`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("assets", list: assets)
        json.endObject()
    }
}
