// `import Banyan` alone must be enough: these identities, errors and values of its API are declared in the core. What else the
// core has public is there for the compiler to inline, and is not to be seen.
@_exported public import struct BanyanCore.BanyanError
@_exported public import struct BanyanCore.CommitMetadata
@_exported public import struct BanyanCore.Decimal128
@_exported public import enum BanyanCore.DeleteRule
@_exported public import enum BanyanCore.IndexKind
@_exported public import struct BanyanCore.ObjectID
@_exported public import struct BanyanCore.ObjectId
