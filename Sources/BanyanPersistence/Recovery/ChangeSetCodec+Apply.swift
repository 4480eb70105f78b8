package import BanyanCore

extension ChangeSetCodec {
    /// Makes a commit's changes in a transaction. Many commits may go into one transaction.
    ///
    /// O(size of the change). When it throws, the transaction must be rolled back.
    ///
    /// - Throws: `damaged` when the payload is not one, or does not fit the graph it is applied to.
    package static func apply(_ payload: [UInt8], to transaction: Transaction) throws(BanyanError) {
        var applier = ChangeSetApplier(transaction)
        try apply(payload, &applier)
    }

    /// Makes the changes of one of many payloads. The applier keeps its buffers from one payload to the next.
    static func apply(_ payload: [UInt8], _ applier: inout ChangeSetApplier) throws(BanyanError) {
        try withReaders(payload) { header, forward, _ throws(PayloadFault) in
            do throws(PayloadFault) {
                try applier.apply(&forward, header)
            } catch {
                throw PayloadFault(applier.located(error.reason))
            }
        }
    }
}
