import BanyanCore

extension SnapshotLoader.Source {
    /// Reads a frame and runs a decoder over what follows its form byte; what that finds wrong becomes an error.
    func decode<R>(
        _ index: Int, at place: BanyanError.Location = .init(),
        _ body: (inout PayloadReader) throws(PayloadFault) -> R
    ) throws(BanyanError) -> R {
        var place = place
        place.offset = frames[index].offset
        let bytes = try read(index)
        let result: Result<R, BanyanError> = bytes.withUnsafeBytes { raw in
            var reader = PayloadReader(raw)
            do throws(PayloadFault) {
                let form = try reader.byte()
                guard form == SnapshotCodec.form else {
                    return .failure(
                        BanyanError(
                            .unsupportedFormat, "objects are stored in form \(form), and this program reads form 1",
                            remedy: "Use a newer Banyan", at: place))
                }
                return .success(try body(&reader))
            } catch {
                return .failure(
                    BanyanError(
                        .damaged, "frame \(index) of the snapshot cannot be read", at: place, cause: error.reason))
            }
        }
        return try result.get()
    }
}
