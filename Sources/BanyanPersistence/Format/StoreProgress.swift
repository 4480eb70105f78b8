/// How far a long operation has come, in bytes of the files it reads.
package struct StoreProgress: Sendable, Hashable {
    package var done: UInt64
    package var total: UInt64
}
