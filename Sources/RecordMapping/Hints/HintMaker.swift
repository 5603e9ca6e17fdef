import CloudKitWire
import LosslessJSON

/// Finds the least hints that bring a structured file back byte for byte.
struct HintMaker {
    let hints: RecordHints

    /// - Parameter fields: The draft's fields, assets included, without the reserved one.
    init(draft: StructuredDraft, fields: [String: Field]) {
        let composer = FileComposer(context: draft.context, file: draft.file)
        var hints = RecordHints()
        for member in draft.members {
            if !member.field.utf8.elementsEqual(member.key.utf8) { hints.keys[member.field] = member.key }
            switch member.read {
            case .ownText: hints.ownTexts.insert(member.field)
            case .nothing: hints.texts[member.field] = member.text
            case .value, .files:
                // What is encrypted in its field must not stand beside it in the clear.
                guard let value = fields[member.field]?.value, !member.isEncrypted else { continue }
                if let ids = ValueIdentity.ids(value, context: draft.context) {
                    hints.texts[member.field] = member.text
                    hints.ids[member.field] = ids
                } else if member.text == composer.plainText(of: value, field: member.field) {
                    continue
                } else if case .string(let text) = value, member.text == AsciiSpelling.text(text) {
                    hints.ascii.insert(member.field)
                } else {
                    hints.texts[member.field] = member.text
                }
            }
        }
        self.hints = Self.withLayout(hints, of: draft, fields: fields, composer: composer)
    }

    /// Adds the order, or else the whole skeleton, where the plain rendering is not what the file is.
    static func withLayout(
        _ hints: RecordHints, of draft: StructuredDraft, fields: [String: Field], composer: FileComposer
    ) -> RecordHints {
        var hints = hints
        let bytes = draft.document.bytes
        if composer.bytes(fields: fields, hints: hints) == bytes { return hints }
        let order = draft.members.map(\.field)
        hints.order = order
        if composer.bytes(fields: fields, hints: hints) == bytes { return hints }
        hints.order = nil
        hints.layout = FileLayout(of: draft.document, fields: order)
        return hints
    }
}
