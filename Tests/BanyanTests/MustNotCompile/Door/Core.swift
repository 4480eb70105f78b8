import Banyan

// What the core has public for inlining is not to be seen.
func cell() -> Cell { fatalError() }  // ✗ cannot find type 'Cell' in scope
func column() -> Column { fatalError() }  // ✗ cannot find type 'Column' in scope
func kind() -> ValueKind { fatalError() }  // ✗ cannot find type 'ValueKind' in scope
