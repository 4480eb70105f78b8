/// Where one isolation domain stands, in plain words at a fixed address: what every access of a live handle looks at.
///
/// A handle caches the page it last read from and the stamp under which that page was found. As long as the stamps agree, the
/// page is right. Unmanaged objects look at `Standing.unmanaged` instead, match it for ever, and are read and written by the
/// same instructions.
@frozen
@usableFromInline
package struct Standing {
    /// Changes whenever a page may have moved.
    @usableFromInline package var stamp: UInt64
    /// The serial of the open transaction, which a page must carry to be written in place; `noTransaction` outside one.
    @usableFromInline package var serial: UInt64
    /// The root of the version or of the open transaction.
    @usableFromInline package var root: UnsafeRawPointer
    /// Who still looks at this: live handles, and whatever else the face counts here. Touched by one isolation domain only, so
    /// that counting takes no atomic operation.
    @usableFromInline package var holders: Int

    @usableFromInline package static let noTransaction = UInt64.max

    package init(stamp: UInt64, serial: UInt64, root: UnsafeRawPointer) {
        self.stamp = stamp
        self.serial = serial
        self.root = root
        holders = 0
    }

    /// What unmanaged objects look at: zeros.
    // Sound: nobody writes it.
    package nonisolated(unsafe) static let unmanaged: UnsafeMutablePointer<Standing> = {
        let words = UnsafeMutablePointer<Standing>.allocate(capacity: 1)
        words.initialize(to: Standing(stamp: 0, serial: 0, root: UnsafeRawPointer(words)))
        return words
    }()
}
