import BanyanCore

extension SnapshotLoader {
    /// Frames to load from: an opened snapshot, or a test.
    package struct Source: Sendable {
        package struct Frame: Sendable {
            package var kind: UInt8
            package var table: UInt32
            package var rows: UInt64
            /// What it counts for in progress.
            package var bytes: UInt64
            /// Where it is in its file.
            package var offset: UInt64?

            package init(kind: UInt8, table: UInt32, rows: UInt64, bytes: UInt64, offset: UInt64? = nil) {
                self.kind = kind
                self.table = table
                self.rows = rows
                self.bytes = bytes
                self.offset = offset
            }
        }

        package var frames: [Frame]
        package var sequence: UInt64
        package var time: Int64
        /// The raw bytes of a frame. Called from several threads at once.
        package var read: @Sendable (Int) throws(BanyanError) -> [UInt8]

        package init(
            frames: [Frame], sequence: UInt64, time: Int64,
            read: @escaping @Sendable (Int) throws(BanyanError) -> [UInt8]
        ) {
            self.frames = frames
            self.sequence = sequence
            self.time = time
            self.read = read
        }

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
}
