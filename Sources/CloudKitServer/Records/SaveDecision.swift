import CloudKitWire

/// What one operation does to one record, decided from what the record is now (protocol §3.1).
enum SaveDecision: Equatable {
    case insert
    /// Fields that are not given stay.
    case merge
    /// Fields that are not given go.
    case replaceFields
    case delete
    /// There is nothing to delete, and nobody minds.
    case nothing
    case refuse(ErrorDictionary)

    /// - Parameter existing: The living record's change tag; `nil` where there is none, or its tombstone only.
    static func decide(_ kind: RecordOperation.Kind, tag: String?, existing: String?) -> Self {
        let isStale = tag != existing
        return switch (kind, existing) {
        case (.create, nil): .insert
        case (.create, _?): .refuse(.recordExists)
        case (.update, nil), (.replace, nil), (.delete, nil): .refuse(.taggedRecordNotFound)
        case (.update, _?): isStale ? .refuse(.staleTag) : .merge
        case (.replace, _?): isStale ? .refuse(.staleTag) : .replaceFields
        case (.delete, _?): isStale ? .refuse(.staleTag) : .delete
        case (.forceUpdate, nil), (.forceReplace, nil): .insert
        case (.forceUpdate, _?): .merge
        case (.forceReplace, _?): .replaceFields
        case (.forceDelete, nil): .nothing
        case (.forceDelete, _?): .delete
        }
    }
}

extension RecordOperation.Kind {
    /// Whether it makes a record where there is none.
    var mayCreate: Bool {
        switch self {
        case .create, .forceUpdate, .forceReplace: true
        case .update, .replace, .delete, .forceDelete: false
        }
    }
}

/// What is wrong with a request as a whole, before any record is looked at.
enum ModifyRequestCheck {
    static func check(_ request: RecordsModifyRequest) throws(ErrorDictionary) {
        guard request.operations.count <= StoreLimits.itemsPerRequest else {
            throw .tooMany("operations", request.operations.count)
        }
        let zoneName = request.zoneID?.zoneName ?? ZoneID.defaultZoneName
        if request.atomic == true, zoneName == ZoneID.defaultZoneName {
            throw .badRequest("atomic operations not supported in default zone")
        }
        var names: Set<[UInt8]> = []
        for operation in request.operations {
            let record = operation.record
            switch operation.kind {
            case .create, .forceUpdate, .forceReplace:
                guard record.recordType != nil else { throw .missing("recordType") }
            case .update, .replace, .delete:
                guard record.recordChangeTag != nil else { throw .missing("recordChangeTag") }
            case .forceDelete: break
            }
            for case .untyped(let json)? in record.fields.values.map(\.value) where !FieldTypes.couldBeValue(json) {
                throw .malformed("Unexpected input")
            }
            if let name = record.recordName {
                guard names.insert(Array(name.utf8)).inserted else {
                    throw .badRequest("the same record can't be given twice in one request: '\(name)'")
                }
            } else if operation.kind != .create {
                throw .missing("recordName")
            }
        }
    }
}
