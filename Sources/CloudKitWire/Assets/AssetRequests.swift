/// Where an asset is to go (protocol §3.10, step 1).
public struct AssetToken: Hashable, Sendable {
    /// The type of the record.
    public var recordType: String?
    /// The server names a new record where absent.
    public var recordName: String?
    /// The name of the field.
    public var fieldName: String
    /// In answers: where to POST the bytes, for 15 minutes.
    public var url: String?

    /// Asks for a URL for one field of one record.
    public init(recordType: String?, recordName: String?, fieldName: String, url: String? = nil) {
        self.recordType = recordType
        self.recordName = recordName
        self.fieldName = fieldName
        self.url = url
    }
}

/// The request of `assets/upload`: at most 200 tokens.
public struct AssetsUploadRequest: Hashable, Sendable {
    /// The zone it is about.
    public var zoneID: ZoneID?
    /// One entry for each asset.
    public var tokens: [AssetToken]

    /// Asks for URLs in one zone.
    public init(zoneID: ZoneID?, tokens: [AssetToken]) {
        self.zoneID = zoneID
        self.tokens = tokens
    }
}

/// The answer of `assets/upload`, in the order of the request.
public struct AssetsUploadResponse: Hashable, Sendable {
    /// One entry for each asset.
    public var tokens: [AssetToken]

    /// Tokens with their URLs.
    public init(tokens: [AssetToken]) {
        self.tokens = tokens
    }
}

/// What the content host answers to the bytes of an asset (protocol §3.10, step 2).
public struct SingleFileResponse: Hashable, Sendable {
    /// The stored file, with its receipt.
    public var singleFile: Asset

    /// The stored file, with its receipt.
    public init(singleFile: Asset) {
        self.singleFile = singleFile
    }
}

/// The request of `assets/rereference`: stored bytes for another record.
public struct AssetsRereferenceRequest: Hashable, Sendable {
    /// A field that holds an asset now.
    public struct Source: Hashable, Sendable {
        /// Unique in its zone.
        public var recordName: String
        /// The name of the field.
        public var fieldName: String

        /// Names a field that holds an asset now.
        public init(recordName: String, fieldName: String) {
            self.recordName = recordName
            self.fieldName = fieldName
        }
    }

    /// The zone it is about.
    public var zoneID: ZoneID?
    /// One entry for each asset.
    public var assets: [Source]

    /// Asks for receipts of stored assets.
    public init(zoneID: ZoneID?, assets: [Source]) {
        self.zoneID = zoneID
        self.assets = assets
    }
}

/// The answer of `assets/rereference`, in the order of the request, each with a receipt.
public struct AssetsRereferenceResponse: Hashable, Sendable {
    /// One entry for each asset.
    public var assets: [ItemResult<Asset>]

    /// Stored assets with receipts.
    public init(assets: [ItemResult<Asset>]) {
        self.assets = assets
    }
}
