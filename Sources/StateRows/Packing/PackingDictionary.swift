/// What records and documents have in common, for streams to refer to instead of saying it.
///
/// A released dictionary is never edited, for stored texts refer to it: a better one gets a mark of its own in ``PackedText``.
/// What is referred to most stands last.
enum PackingDictionary {
    package static let first = Array(
        (#"{"$date": "2026-01-01T00:00:00.000Z"},"id": "name": "title": "text": "date": "created": "updated": "tags": ["#
            + "\n    \"\"\n  ],\n    {\n      },\n  {\n    true,\n  false,\n  null,\n  0,\n  \"\": {\n    \"\": \"\",\n  \"\"\n}\n"
            + #""type":"BYTES"},"type":"LOCATION"},"value":{"latitude":,"longitude":"type":"DOUBLE_LIST"},"type":"INT64_LIST"},"#
            + #""type":"DOUBLE"},"type":"TIMESTAMP"},"type":"ENCRYPTED_"isEncrypted":true},"type":"ASSETID_LIST"},"#
            + #""type":"REFERENCE_LIST"},"zoneID":{"zoneName":"","ownerRecordName":"_"},"action":"DELETE_SELF"},"#
            + #""action":"VALIDATE"},"type":"REFERENCE"},"value":{"recordName":""#
            + #""content":{"value":{"fileChecksum":"","size":,"wrappingKey":"","referenceChecksum":"","downloadURL":"http://"#
            + #""},"type":"ASSETID"},"executable":{"value":0,"type":"INT64"},"modified":{"value":179,"type":"TIMESTAMP"},"#
            + #""path":{"value":"","type":"STRING"},"sha256":{"value":"","type":"STRING"},"size":{"value":"#
            + #"},"parent":{"recordName":""},"share":{"recordName":"cloudkit.zoneshare"}"#
            + #"},"type":"STRING_LIST"},"value":["","zonefolder":{"value":"{\"version\":1,\"order\":[\"\",\"\"]}","type":"STRING"}"#
            + #"{"recordName":"","recordType":"","recordChangeTag":"","fields":{"":{"value":"","type":"STRING"},"":{"value":"#
            + #","type":"INT64"}},"created":{"timestamp":179,"userRecordName":"_","deviceID":""},"modified":{"timestamp":179"#
            + #","userRecordName":"_","deviceID":""},"deleted":false}"#).utf8)
}
