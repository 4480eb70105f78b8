/// What `List`, `MutableSet` and `LinkingObjects` have in common.
public protocol ObjectCollection<Element>: RandomAccessCollection, _ObjectSequence where Index == Int {
    /// Whether the collection was managed and its owner is no longer there.
    var isInvalidated: Bool { get }
    /// Where an element stands.
    func index(of element: Element) -> Int?
}

extension List: ObjectCollection {}
extension MutableSet: ObjectCollection {}
extension LinkingObjects: ObjectCollection {}
